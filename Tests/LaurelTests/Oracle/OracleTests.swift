import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// Laurel's numbers against those of an implementation written from the specification alone, on random rules and events.
@Suite(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"))
struct OracleTests {
    private static let now = try! Timestamp("2027-01-01T00:00:00Z")

    @Test(arguments: 501...512 as ClosedRange<UInt64>) func `all progress`(seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 500, "--conflicts", "--invalid")
        let offset = ["Z", "+05:30", "-08:00", "+00:00"][Int(seed % 4)]
        let answer = try Oracle.answer(stream, now: OracleTests.now, offset: offset)
        let rules = String(decoding: try contents(stream.rules), as: UTF8.self)
        let bench = try Bench(seed.isMultiple(of: 2) ? .sqliteTiny : .sqlite, rules: rules)
        let report = try bench.ingest(contents(stream.events), now: OracleTests.now.milliseconds)

        var comparison = Comparison(place: "seed \(seed)")
        comparison.compare(counts(report), answer["counts"], "counts")
        for reading in answer["readings"].elements {
            let at = try Timestamp(reading["at"].text)
            let learners = reading["learners"].elements
            #expect(try learners.count == bench.engine.statistics().learners)
            for learner in learners { try compare(learner, bench, at, &comparison) }
        }
        #expect(comparison.compared > 100)
        #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(12).joined(separator: "\n"))")
        _ = try bench.soundFingerprint()
    }

    private func counts(_ report: IngestReport) -> JSONValue {
        [
            "read": .count(report.read), "stored": .count(report.stored), "duplicates": .count(report.duplicates),
            "conflicts": .count(report.conflicts), "refused": .count(report.refused),
        ]
    }

    private func compare(
        _ learner: JSONValue,
        _ bench: Bench,
        _ at: Timestamp,
        _ comparison: inout Comparison
    ) throws {
        let name = learner["name"].text
        let tracks = try #require(try bench.engine.allProgress(of: name, at: at), "\(name) is unknown")
        comparison.compare(
            .array(tracks.map { .array([.string($0.language ?? "*"), $0.progress.json]) }),
            learner["tracks"],
            "\(at) \(name)"
        )
        let words = try #require(try bench.engine.words(of: name, language: nil, at: at)).sorted { one, other in
            let languages = (Array((one.language ?? "").utf8), Array((other.language ?? "").utf8))
            return languages.0 == languages.1
                ? one.word.utf8.lexicographicallyPrecedes(other.word.utf8)
                : languages.0.lexicographicallyPrecedes(languages.1)
        }
        let keys = learner["words"].elements.first?.members.keys.sorted() ?? []
        comparison.compare(
            .array(words.map { json($0, keys: keys) }),
            learner["words"],
            "\(at) \(name) words"
        )
    }

    private func json(_ word: WordRecord, keys: [String]) -> JSONValue {
        var members: [String: JSONValue] = [
            "word": .string(word.word), "language": .string(word.language ?? ""), "mastery": .count(word.mastery),
            "reviews": .integer(word.reviews), "correct": .integer(word.correct),
            "intervalDays": .count(word.intervalDays), "nextReviewAt": .string(Timestamp.utc(word.nextReviewAt)),
            "learned": .boolean(word.learned), "due": .boolean(word.due),
        ]
        if keys.contains("easeFactor") { members["easeFactor"] = word.easeFactor.map(JSONValue.number) ?? .null }
        if keys.contains("stability") {
            members["stability"] = word.stability.map(JSONValue.number) ?? .null
            members["difficulty"] = word.difficulty.map(JSONValue.number) ?? .null
        }
        return .object(members)
    }
}

/// Finds where two JSON values differ; doubles may by a relative 1e-9, texts not even in their normal form.
private struct Comparison {
    let place: String
    var differences: [String] = []
    var compared = 0

    init(place: String) { self.place = place }

    mutating func compare(_ ours: JSONValue, _ theirs: JSONValue, _ path: String) {
        switch (ours, theirs) {
        case (.object(let one), .object(let other)):
            for name in Set(one.keys).union(other.keys).sorted() {
                guard let value = one[name], let expected = other[name] else {
                    note(path + "." + name, "\(one[name]?.json ?? "missing")", "\(other[name]?.json ?? "missing")")
                    continue
                }
                compare(value, expected, path + "." + name)
            }
        case (.array(let one), .array(let other)):
            if one.count != other.count { note(path, "\(one.count) elements", "\(other.count)") }
            for (index, (value, expected)) in zip(one, other).enumerated() {
                compare(value, expected, "\(path)[\(index)]")
            }
        default:
            compared += 1
            if !equal(ours, theirs) { note(path, ours.json, theirs.json) }
        }
    }

    private func equal(_ ours: JSONValue, _ theirs: JSONValue) -> Bool {
        switch (ours, theirs) {
        case (.integer(let one), .integer(let other)): return one == other
        case (.string(let one), .string(let other)): return one.utf8.elementsEqual(other.utf8)
        default:
            guard let one = ours.double, let other = theirs.double else { return ours == theirs }
            return one == other || abs(one - other) <= 1e-9 * max(abs(one), abs(other))
        }
    }

    private mutating func note(_ path: String, _ ours: String, _ theirs: String) {
        differences.append("\(place), \(path): \(ours), the oracle says \(theirs)")
    }
}

extension JSONValue {
    fileprivate subscript(name: String) -> JSONValue { members[name] ?? .null }

    fileprivate var members: [String: JSONValue] {
        if case .object(let members) = self { members } else { [:] }
    }

    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    fileprivate var text: String {
        if case .string(let text) = self { text } else { "" }
    }

    fileprivate var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}
