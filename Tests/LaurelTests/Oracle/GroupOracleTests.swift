// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import StoreTesting
import Testing

/// Groups compared with those of the second implementation, in random worlds: learners who travel, join, leave and
/// practise, with retractions, in any order of arrival.
@Suite(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"))
struct GroupOracleTests {
    private static let now = try! Timestamp("2027-01-01T00:00:00Z")

    @Test func `random worlds, for half a minute`() throws {
        if let seeds = Oracle.seeds {
            for seed in seeds { try compare(seed) }
        } else {
            try Oracle.forHalfAMinute(from: 1, compare)
        }
    }

    private func compare(_ seed: UInt64) throws {
        let (stream, answer) = try Oracle.groups(seed: seed, now: Self.now)
        let rules = String(decoding: try contents(stream.rules), as: UTF8.self)
        let bench = try Bench(seed % 4 == 1 ? .sqliteTiny : .sqlite, rules: rules)
        for version in stream.later {
            try bench.apply(String(decoding: contents(version.rules), as: UTF8.self), from: version.day)
        }
        let lines = String(decoding: try contents(stream.events), as: UTF8.self).split(separator: "\n").map(String.init)
        for batch in stride(from: 0, to: lines.count, by: max(1, lines.count / 5)) {
            try bench.ingest(lines[batch...].prefix(max(1, lines.count / 5)), now: Self.now.milliseconds)
        }
        var comparison = Comparison(place: "seed \(seed)")
        for (at, expected) in answer {
            let instant = try Timestamp(at)
            var zone: Foundation.TimeZone?
            if case .minutes(let minutes) = instant.offset { zone = TimeZone(secondsFromGMT: Int(minutes) * 60) }
            let groups = try bench.engine.groups(at: instant.date, timeZone: zone)
            let json = try groups.map { try #require(JSONValue(validated: Array(LaurelJSON.encode($0)))) }
            comparison.compare(.array(json), expected, at)
        }
        #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(12).joined(separator: "\n"))")
        _ = try bench.soundFingerprint()
    }
}

extension Oracle {
    /// The oracle's groups at some instants. The instants are quarters of the events, with and without an offset, and the
    /// end.
    private static let groupQuestion = """
        import json, sys
        sys.path.insert(0, sys.argv[1])
        from events import read_store
        from groups import all_groups
        from instants import format_instant
        from progress import At, fold_until
        from versions import load_versions
        folder, now = sys.argv[2:]
        store, versions = read_store(folder + "/events.ndjson", At.parse(now).time), load_versions(folder)
        times = sorted(event.time for name in store.learners() for event in store.of_learner(name))
        instants = [format_instant(times[len(times) * quarter // 4]) for quarter in (1, 2, 3)]
        instants += [format_instant(times[len(times) * 2 // 3] + 32400000)[:-1] + "+09:00", format_instant(times[-1])]
        def read(at):
            histories = {name: store.of_learner(name) for name in store.learners()}
            folds = {name: fold_until(name, events, versions, at) for name, events in histories.items()}
            return all_groups(folds, versions, at)
        print(json.dumps([[at, read(At.parse(at))] for at in instants]))
        """

    /// A random world of groups, and the oracle's groups at some instants.
    static func groups(seed: UInt64, now: Timestamp) throws -> (Stream, [(at: String, groups: JSONValue)]) {
        let folder = try TemporaryFolder()
        try python(["\(Oracle.folder)/random_groups.py", "--seed", "\(seed)", "--out", folder.path])
        let output = try python(["-c", groupQuestion, Oracle.folder, folder.path, now.description])
        let answer = try #require(JSONValue(validated: Array(output.utf8.dropLast())))
        let readings = answer.elements.map { reading in
            (at: reading.elements[0].text, groups: reading.elements[1])
        }
        return (try Stream(folder: folder), readings)
    }
}
