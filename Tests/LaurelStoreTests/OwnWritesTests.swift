// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import StoreTesting
import Testing

@testable import LaurelStore

/// A transaction reads its own writes, whatever its partitions and earlier reads. The store in memory with one
/// partition is the reference.
@Suite struct OwnWritesTests {
    private struct Undone: Error {}

    @Test(arguments: Backend.allCases + [.memoryPartitioned])
    func `a transaction reads what it has written, in any order`(backend: Backend) throws {
        let seed = UInt64.random(in: 0...99_999)
        var script = Script(seed: seed)
        let reference = MemoryStore()
        let test = try backend.make()
        for number in 1...6 {
            let place: Comment = "seed \(seed), transaction \(number)"
            let isOfAll = script.decides(0.4)
            let mine = isOfAll ? Script.subjects : script.some(of: Script.subjects)
            let partitions = Set(mine.map { test.store.partition(of: Array($0.utf8)) }).sorted()
            let isUndone = script.decides(0.2)
            func body(_ expected: any StoreTransaction, _ found: any StoreTransaction) throws {
                for _ in 1...8 {
                    let action = script.nextAction(of: mine)
                    #expect(try action.run(in: found) == action.run(in: expected), place)
                    try compare(found, expected, &script, "\(place), after \(action.name)")
                }
                if isUndone { throw Undone() }
            }
            do {
                try reference.writeAll { expected in
                    if isOfAll { return try test.store.writeAll { try body(expected, $0) } }
                    try test.store.write(in: partitions) { try body(expected, $0) }
                }
            } catch is Undone {}
            if script.decides(0.1) { try test.reopen() }
            try reference.read { expected in
                try test.store.read { try compare($0, expected, &script, place) }
            }
            #expect(try test.store.read { try $0.verify { _, _ in } }.isEmpty, place)
        }
    }

    /// Compares some answers about some learners.
    private func compare(
        _ found: any StoreReader,
        _ expected: any StoreReader,
        _ script: inout Script,
        _ place: Comment
    ) throws {
        for question in script.some(of: Question.allCases) {
            let subjects = script.some(of: Script.subjects)
            let what: Comment = "\(place): \(question) about \(subjects)"
            let right = try question.answer(of: expected, subjects)
            #expect(throws: Never.self, what) {
                let answer = try question.answer(of: found, subjects)
                #expect(answer == right, what)
            }
        }
    }
}

/// Random actions.
private struct Script {
    static let subjects = (1...9).map { "learner-\($0)" }

    private var random: SeededGenerator
    private var count = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func decides(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

    /// A random subset of at least one element.
    mutating func some<T>(of all: [T]) -> [T] {
        Array(all.shuffled(using: &random).prefix(Int.random(in: 1...all.count, using: &random)))
    }

    mutating func nextAction(of subjects: [String]) -> Action {
        let subject = subjects.randomElement(using: &random)!
        let byte = UInt8.random(in: 0...255, using: &random)
        return switch Int.random(in: 0..<20, using: &random) {
        case 0..<10: .append(events(of: some(of: subjects)))
        case 10: .keep(snapshot: decides(0.8) ? [byte] : nil, of: subject)
        case 11: .checkpoint(time(), of: subject)
        case 12..<15: .project(seed: UInt64(byte), of: subject)
        case 15:
            decides(0.5)
                ? .remember("copy \(byte % 3)", decides(0.7) ? [byte] : nil, of: subject)
                : .note("note \(byte % 3)", decides(0.7) ? "\(byte)" : nil, of: subject)
        case 16: .quarantine("reason \(byte % 3)", subject: decides(0.7) ? subject : nil)
        case 17: .record("record \(byte % 3)", decides(0.7) ? "\(byte)" : nil)
        case 18: .learners(subjects)
        default: .erase(subject)
        }
    }

    /// Mostly new events; some are repeated, a few with other content.
    private mutating func events(of subjects: [String]) -> [TestEvent] {
        subjects.flatMap { subject in
            (1...Int.random(in: 1...4, using: &random)).map { _ in
                count += 1
                let number = decides(0.15) ? Int.random(in: 1...count, using: &random) : count
                let id = number.isMultiple(of: 3) ? "id-\(number &* 7_919 % 1_000_003)-\(number)x" : "n\(number)"
                var event = TestEvent(
                    subject: subject,
                    id: id,
                    milliseconds: 1_770_310_800_000 + Int64(number * 60_000)
                )
                event.data = [("score", .integer(Int64(decides(0.95) ? number : count)))]
                return event
            }
        }
    }

    private mutating func time() -> Int64 { 1_770_310_800_000 + 60_000 * Int64.random(in: 0...200, using: &random) }
}

/// A write.
private enum Action {
    case append([TestEvent])
    case keep(snapshot: [UInt8]?, of: String)
    case checkpoint(Int64, of: String)
    case project(seed: UInt64, of: String)
    case remember(String, [UInt8]?, of: String)
    case note(String, String?, of: String)
    case quarantine(String, subject: String?)
    case record(String, String?)
    case learners([String])
    case erase(String)

    var name: String { if case .append = self { "append" } else { "\(self)" } }

    /// - Returns: a description of the result.
    func run(in transaction: any StoreTransaction) throws -> String {
        func id(_ subject: String) throws -> Int64 { try transaction.learnerID(for: Array(subject.utf8)) }
        switch self {
        case .append(let events): return "\(try transaction.append(events).outcomes)"
        case .keep(let snapshot, let subject): try transaction.saveSnapshot(snapshot, of: id(subject))
        case .checkpoint(let time, let subject):
            let checkpoint = Checkpoint(point: CheckpointPoint(milliseconds: time, events: 3), snapshot: [1, 2])
            try transaction.saveCheckpoint(checkpoint, of: id(subject), in: .stored)
        case .project(let seed, let subject):
            let projection = DerivedStateTests.projection(seed: seed, languages: [nil, "de"])
            try transaction.project(projection, of: id(subject), days: .all)
        case .remember(let name, let data, let subject): try transaction.remember([name: data], of: id(subject))
        case .note(let name, let text?, let subject):
            let note = NoteRecord(id: name, milliseconds: 1, author: "an author", text: text)
            try transaction.write([note], of: id(subject))
        case .note(let name, nil, let subject): try transaction.deleteNotes([name], of: id(subject))
        case .quarantine(let reason, let subject):
            try transaction.quarantine(QuarantineTests.line(reason, subject: subject), bytes: [1])
        case .record(let name, let value): try transaction.setServiceRecord(name, value)
        case .learners(let subjects):
            _ = try transaction.learnerIDs(for: subjects.map { Array($0.utf8) })
        case .erase(let subject): return "\(try transaction.erase(subject: Array(subject.utf8)))"
        }
        return ""
    }
}

/// A question. Learners' numbers differ between stores, so answers contain subjects.
private enum Question: CaseIterable {
    case counts, countsByNumber, countsAlone, events, lateEvents, eachLearner, lastTimes, states, projections, copies,
        notes,
        overviews
    case xp, learnersSince, allLearners, records, refused, statistics

    /// An instant in the middle of all learners' histories.
    private static let late: Int64 = 1_770_310_800_000 + 3_000_000

    func answer(of reader: any StoreReader, _ subjects: [String]) throws -> [String] {
        let all = try reader.learners(.subjects(subjects.map { Array($0.utf8) }))
        let learners = all.compactMap(\.self)
        let ids = learners.map(\.id)
        switch self {
        case .counts: return all.map { "\($0?.eventCount ?? -1)" }
        case .countsByNumber: return try reader.learners(.ids(ids)).map { describe($0!) }
        case .countsAlone: return try reader.eventCounts(of: ids).map(String.init)
        case .events: return try reader.events(of: ids.map { EventSpan(of: $0) }, fields: .all).flatMap { merged($0) }
        case .lateEvents:
            let spans = ids.map { EventSpan(of: $0, since: Question.late) }
            return try reader.events(of: spans, fields: .all).map { merged($0.map(late)).joined(separator: "; ") }
        case .eachLearner:
            var found: [String] = []
            try reader.forEachLearner { found += [describe($0)] + merged($1) }
            return found.sorted()
        case .lastTimes: return try ids.map { "\(try reader.lastEventTime(of: $0) ?? 0)" }
        case .states: return try reader.keptStates(of: ids, .snapshotsAndPoints).map { "\($0)" }
        case .projections: return try ids.map { "\(try reader.projection(of: $0)?.tracks.map(\.numbers.xp) ?? [])" }
        case .notes: return try ids.map { "\(try reader.notes(of: $0))" }
        case .copies: return try ids.map { "\(try reader.copies(of: $0).map { "\($0)" }.sorted())" }
        case .overviews:
            var found: [String] = []
            try reader.forEachOverview {
                found.append("\(describe($0.learner)) \($0.numbers.xp) \($0.numbers.level) \($0.numbers.counts.events)")
            }
            return found.sorted()
        case .xp:
            var found: [String] = []
            let names = Dictionary(uniqueKeysWithValues: learners.map { ($0.id, describe($0)) })
            try reader.forEachXP(language: nil, days: nil, cohort: nil) { id, xp in
                if let name = names[id] { found.append("\(name) \(xp)") }
            }
            return found.sorted()
        case .learnersSince:
            let found = try reader.learners(where: .eventsAfter(Question.late))
            return try reader.learners(.ids(found)).map { describe($0!) }.sorted()
        case .allLearners:
            var found: [String] = []
            try reader.forEachLearner { found.append(describe($0)) }
            return found.sorted()
        case .records: return try reader.serviceRecords(prefix: "").map { "\($0.key) \($0.value)" }.sorted()
        case .refused: return try reader.quarantineCounts().map { "\($0.reason) \($0.lines)" }.sorted()
        case .statistics: return ["\(try reader.statistics().events)"]
        }
    }

    /// The events of a run around that instant.
    private func late(_ run: EventRun) -> EventRun {
        let first = run.rows.first { run.table.milliseconds[$0] >= Question.late } ?? run.rows.upperBound
        return EventRun(run.shared, rows: first..<run.rows.upperBound)
    }

    private func describe(_ learner: LearnerRecord) -> String {
        "\(String(decoding: learner.subject, as: UTF8.self)) \(learner.eventCount)"
    }
}
