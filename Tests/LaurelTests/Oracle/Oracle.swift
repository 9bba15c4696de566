import Glibc
import LaurelEvents
import Testing

/// The second implementation of the semantics, in `Tests/Oracle`. It needs Python 3 and PyYAML.
enum Oracle {
    /// Without Python or PyYAML these tests fail; who has neither says so.
    static var isWanted: Bool { getenv("LAUREL_SKIP_ORACLE") == nil }

    private static let folder: String = {
        let tests = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        return tests + "/Oracle"
    }()

    /// Rules, and events for them, in a folder of their own.
    struct Stream {
        let folder: TemporaryFolder
        var rules: String { folder.file("rules.yaml") }
        var events: String { folder.file("events.ndjson") }
    }

    static func generate(seed: UInt64, events: Int, _ options: String...) throws -> Stream {
        let stream = Stream(folder: try TemporaryFolder())
        try python(
            ["\(folder)/generate.py", "--seed", "\(seed)", "--events", "\(events)", "--out", stream.folder.path]
                + options
        )
        return stream
    }

    /// What the oracle makes of a stream: counts, and as of the instant in the middle and the end, every learner with
    /// all tracks and words. Lists instead of objects where Swift's dictionaries would take two names for one.
    private static let question = """
        import json, sys
        sys.path.insert(0, sys.argv[1])
        from events import read_store
        from instants import format_instant
        from progress import At, all_tracks, words_of
        from rules import load
        folder, now, offset = sys.argv[2:]
        store, rules = read_store(folder + "/events.ndjson", At.parse(now).time), load(folder + "/rules.yaml")
        def read(at):
            parsed = At.parse(at)
            histories = [(name, store.of_learner(name)) for name in store.learners()]
            return {"at": at, "learners": [
                {"name": name, "words": words_of(events, rules, parsed), "tracks": [
                    [language, progress] for language, progress in all_tracks(name, events, rules, parsed).items()]}
                for name, events in histories]}
        times = sorted(event.time for name in store.learners() for event in store.of_learner(name))
        middle = format_instant(times[len(times) // 2])
        print(json.dumps({"counts": store.counts, "readings": [read(middle[:-1] + offset), read(now)]}))
        """

    static func answer(_ stream: Stream, now: Timestamp, offset: String) throws -> JSONValue {
        let output = try python(["-c", question, folder, stream.folder.path, now.description, offset])
        return try #require(JSONValue(validated: Array(output.utf8.dropLast())))
    }

    @discardableResult
    private static func python(_ words: [String]) throws -> String {
        let missing: Comment =
            "Python 3 with PyYAML is needed (Debian: python3-yaml); LAUREL_SKIP_ORACLE=1 goes without"
        let outcome = try Program(["/usr/bin/env", "python3", "-B"] + words).wait()
        try #require(!outcome.errors.contains("No module named 'yaml'") && outcome.status != 127, missing)
        try #require(outcome.status == 0, "\(outcome.errors.suffix(2000))")
        return outcome.output
    }
}
