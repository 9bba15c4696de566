// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import LaurelEvents
import Testing

/// The second implementation of the semantics, in `Tests/Oracle`. It needs Python 3 and PyYAML.
enum Oracle {
    /// False if the tests are to be skipped. Without Python or PyYAML they fail.
    static var isWanted: Bool { getenv("LAUREL_SKIP_ORACLE") == nil }

    /// The seeds of `LAUREL_ORACLE_SEEDS=FIRST-LAST`, instead of the usual ones.
    static let seeds: ClosedRange<UInt64>? = {
        let ends = getenv("LAUREL_ORACLE_SEEDS").map {
            String(cString: $0).split(separator: "-").compactMap { UInt64($0) }
        }
        guard let ends, ends.count == 2, ends[0] <= ends[1] else { return nil }
        return ends[0]...ends[1]
    }()

    /// Compares streams with games, from a first seed on, as many as half a minute allows.
    /// - Parameter first: an odd seed.
    static func forHalfAMinute(from first: UInt64, _ compare: (UInt64) throws -> Void) throws {
        let end = ContinuousClock.now + .seconds(30)
        var seed = first
        repeat {
            try compare(seed)
            seed += 2
        } while ContinuousClock.now < end
    }

    static let folder: String = {
        let tests = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
        return tests + "/Oracle"
    }()

    /// Rules, and events for them, in a folder of their own.
    struct Stream {
        let folder: TemporaryFolder
        var rules: String { folder.file("rules.yaml") }
        var events: String { folder.file("events.ndjson") }
        /// Further rules with their first days, ascending: `rules-YYYY-MM-DD.yaml`.
        let later: [(day: LocalDay, rules: String)]

        init(folder: TemporaryFolder) throws {
            self.folder = folder
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            later = names.compactMap { name in
                LocalDay(parsing: Array(name.utf8.dropFirst(6).dropLast(5))).map { ($0, folder.file(name)) }
            }
        }
    }

    /// Random rules, and events for them. The rules of odd seeds have games: experiments, seasons, currencies, items,
    /// goals and pools.
    static func generate(seed: UInt64, events: Int, _ options: String...) throws -> Stream {
        let folder = try TemporaryFolder()
        try python(
            ["\(Oracle.folder)/generate.py", "--seed", "\(seed)", "--events", "\(events)", "--out", folder.path]
                + options + (seed.isMultiple(of: 2) ? [] : ["--games"])
        )
        return try Stream(folder: folder)
    }

    /// The oracle's results for a stream: counts, and all tracks and words of every learner. The instants are the
    /// quarters, where refills and windows are under way, some around the day of each version, and the end. Lists are
    /// used instead of objects, because Swift's dictionaries would merge some names.
    private static let question = """
        import json, sys
        sys.path.insert(0, sys.argv[1])
        from events import read_store
        from instants import DAY_MS, format_instant
        from progress import At, all_tracks, words_of
        from versions import load_versions
        folder, now, offset = sys.argv[2:]
        store, versions = read_store(folder + "/events.ndjson", At.parse(now).time), load_versions(folder)
        def read(at):
            parsed = At.parse(at)
            histories = [(name, store.of_learner(name)) for name in store.learners()]
            return {"at": at, "learners": [
                {"name": name, "words": words_of(events, versions, parsed), "tracks": [
                    [language, progress] for language, progress in all_tracks(name, events, versions, parsed).items()]}
                for name, events in histories]}
        def written(instant, offset):
            minutes = 0 if offset == "Z" else int(offset[0] + "1") * (int(offset[1:3]) * 60 + int(offset[4:]))
            return format_instant(instant + minutes * 60000)[:-1] + offset
        times = sorted(event.time for name in store.learners() for event in store.of_learner(name))
        instants = [times[len(times) * quarter // 4] for quarter in (1, 2, 3)]
        for version in versions.all[1:]:
            day = version.since * DAY_MS
            instants += [at for at in (day - DAY_MS, day - 1, day + 1, day + DAY_MS) if at > 0]
        readings = [read(written(at, offset if index % 2 == 0 else "Z")) for index, at in enumerate(instants)]
        print(json.dumps({"counts": store.counts, "readings": readings + [read(now)]}))
        """

    static func answer(_ stream: Stream, now: Timestamp, offset: String) throws -> JSONValue {
        let output = try python(["-c", question, folder, stream.folder.path, now.description, offset])
        return try #require(JSONValue(validated: Array(output.utf8.dropLast())))
    }

    /// Runs the oracle's own tests, with cases computed by hand.
    static func test() throws {
        try python(["-m", "unittest", "discover", "--start-directory", folder, "--pattern", "test_*.py"])
    }

    @discardableResult
    static func python(_ words: [String]) throws -> String {
        let missing: Comment =
            "Python 3 with PyYAML is needed (Debian: python3-yaml); LAUREL_SKIP_ORACLE=1 goes without"
        let outcome = try Program(["/usr/bin/env", "python3", "-B"] + words).wait()
        try #require(!outcome.errors.contains("No module named 'yaml'") && outcome.status != 127, missing)
        try #require(outcome.status == 0, "\(outcome.errors.suffix(2000))")
        return outcome.output
    }
}
