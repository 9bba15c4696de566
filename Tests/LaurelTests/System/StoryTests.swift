// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Laurel
import LaurelEvents
import LaurelStore
import Testing

/// A random story, told to engines over all kinds of stores. Events come late, twice and together with others', rules
/// change, learners are erased. Each engine must answer like one with its own store in memory.
@Suite struct StoryTests {
    enum Place: String, CaseIterable { case file, database, parted }

    private static let places = Place.allCases.filter { $0 != .database || DatabaseServer.shared != nil }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func stores(_ count: Int, _ place: Place, _ name: String = "laurel") throws -> [any EventStore] {
        switch place {
        case .parted: return [MemoryStore(partitions: 4, eventsPerTransaction: 100)]
        case .file:
            return try (0..<count).map { _ in try SQLiteStore(path: folder.file("\(name).db"), mode: .readWrite) }
        case .database:
            let location = try #require(DatabaseServer.shared).newLocation()
            try PostgreSQLStore.create(location, partitions: 5)
            return try (0..<count).map { _ in try PostgreSQLStore(location, mode: .readWrite) }
        }
    }

    @Test(arguments: places) func `whatever happens, all engines agree`(place: Place) throws {
        let seed = UInt64.random(in: 0...99_999)
        let whole = try Bench(.memory, rules: ClassRules.base)
        let rules = try Bench.load(ClassRules.base)
        let engines = try stores(2, place).map { try ProgressEngine(store: $0, rules: rules, clock: Bench.now) }
        let mirror = try stores(1, place == .file && DatabaseServer.shared != nil ? .database : .file, "mirror")[0]
        let copy = try ProgressEngine(store: mirror, rules: nil, clock: Bench.now)
        defer { for engine in engines + [copy] { engine.close() } }
        for engine in [engines[0], whole.engine] { try engine.tellEverything() }
        var story = Story(seed: seed)
        for step in 1...40 {
            // The rules for a new store take effect with the first write.
            let happening = step == 1 ? story.someEvents() : story.next()
            let comment: Comment = "seed \(seed), step \(step): \(happening.name)"
            let engine = engines[story.random(below: engines.count)]
            try #expect(happening.happens(to: engine) == happening.happens(to: whole.engine), comment)
            let (told, right) = try (engine.takeMessages(), whole.engine.takeMessages())
            // An event stored in several transactions may cause more messages.
            #expect(told == right || place == .parted && happening.isFile, comment)
            let isCopied = story.random(below: 8) == 0 || step == 40
            if isCopied {
                #expect(throws: Never.self, comment) { _ = try engine.copy(into: copy, erasing: true) }
            }
            for engine in isCopied ? engines + [copy] : engines {
                let whose = engine === copy ? "the copy" : "engine \(engines.firstIndex { $0 === engine }!)"
                try expectAgreement(of: engine, with: whole.engine, &story, "\(comment): \(whose)")
            }
        }
        for engine in engines + [copy] {
            try #expect(engine.check().differences == [], "seed \(seed)")
            try #expect(engine.verify().problems == [], "seed \(seed)")
            try #expect(engine.fingerprint() == whole.engine.fingerprint(), "seed \(seed)")
        }
    }

    private func expectAgreement(
        of engine: ProgressEngine,
        with whole: ProgressEngine,
        _ story: inout Story,
        _ comment: Comment
    ) throws {
        for question in story.some(of: Question.allCases, atMost: 3) {
            let (learner, instant) = (story.learner(), story.instant())
            let answer = try question.answer(of: engine, learner, at: instant)
            let right = try question.answer(of: whole, learner, at: instant)
            #expect(answer == right, "\(comment), \(question) of \(learner) at \(instant)")
        }
    }
}

/// The next random happening.
private struct Story {
    private var generator: SeededGenerator
    private let lines: [String]
    private let learners: [String]
    private var rules = [ClassRules.base] + ClassRules.changed.map { $0.1 }

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        lines = simulated(learners: 12, days: 10, seed: seed, disorder: true)
        learners = (1...12).map { "learner-00" + ($0 < 10 ? "0\($0)" : "\($0)") }
    }

    mutating func random(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
    mutating func learner() -> String { learners.randomElement(using: &generator)! }

    /// An instant after everything, or in the ten days of the simulation.
    mutating func instant() -> Int64 {
        random(below: 2) == 0 ? Bench.now : 20_458 * 86_400_000 + Int64(random(below: 864_000)) * 1000
    }

    mutating func some<T>(of all: [T], atMost most: Int) -> [T] {
        Array(all.shuffled(using: &generator).prefix(1 + random(below: most)))
    }

    mutating func next() -> Happening {
        switch random(below: 20) {
        case 0: return .erasure(learner())
        case 1:
            let day = random(below: 3) == 0 ? LocalDay(number: 20_458 + Int32(random(below: 12))) : nil
            return .rules(rules.randomElement(using: &generator)!, from: day)
        case 2: return .replay
        default: return someEvents()
        }
    }

    mutating func someEvents() -> Happening {
        if random(below: 6) == 0 { return .file(someLines(most: 400)) }
        return .requests((0...random(below: 8)).map { _ in request() })
    }

    /// A random request. Some are atomic, some limited to one learner.
    private mutating func request() -> IngestRequest {
        var request = IngestRequest(.lines, Array(someLines(most: 6).joined(separator: "\n").utf8))
        request.isAtomic = random(below: 5) == 0
        request.isStrict = random(below: 8) == 0
        request.progressLimit = random(below: 4)
        if random(below: 6) == 0 { request.learner = learner() }
        return request
    }

    private func retraction(of line: String) -> String {
        guard let event = try? JSONLine(line) else { return line }
        let data = #"{"source":"\#(event["source"])","id":"\#(event["id"])"}"#
        return LaurelTests.line(
            "r-\(event["id"])",
            "event.retracted",
            at: event["time"],
            by: event["subject"],
            source: event["source"],
            data: data
        )
    }

    /// Some consecutive lines, as learners practise, or random ones; sometimes an invalid one.
    private mutating func someLines(most: Int) -> [String] {
        let count = 1 + random(below: most)
        let first = random(below: lines.count)
        var some = Array(lines[first...].prefix(count))
        if random(below: 3) == 0 { some = (0..<min(count, 40)).map { _ in lines[random(below: lines.count)] } }
        if random(below: 6) == 0 { some.append(#"{"id":"1","type":"line.spoken"}"#) }
        if random(below: 4) == 0 { some.append(retraction(of: lines[random(below: lines.count)])) }
        return some
    }
}

private enum Happening {
    case file([String]), requests([IngestRequest]), erasure(String), rules(String, from: LocalDay?), replay

    var isFile: Bool { if case .file = self { true } else { false } }

    var name: String {
        switch self {
        case .file(let lines): "\(lines.count) lines"
        case .requests(let requests): "\(requests.count) requests"
        case .rules(_, let day): "other rules\(day.map { " from \($0)" } ?? "")"
        default: "\(self)"
        }
    }

    /// - Returns: the answer.
    func happens(to engine: ProgressEngine) throws -> String {
        switch self {
        case .file(let lines):
            let report = try engine.ingest(Array(lines.joined(separator: "\n").utf8), now: Bench.now)
            return "\(report.stored) \(report.duplicates) \(report.conflicts) \(report.problems.count)"
        case .requests(let requests):
            return try engine.ingest(together: requests, now: Bench.date).map { "\($0)" }.joined(separator: "\n")
        case .erasure(let learner): return "\(try engine.erase(learner: learner))"
        case .rules(let text, let day):
            let options = ApplyOptions(appliedAt: Bench.date)
            // Some rules are in force already.
            guard var report = try? engine.apply(Rules(Bench.load(text)), from: day, options: options) else {
                return "none"
            }
            report.seconds = 0
            return "\(report)"
        case .replay: return try engine.replay().fingerprint
        }
    }
}

extension ProgressEngine {
    private static let webhook = "story"

    /// Registers a webhook that is never called.
    fileprivate func tellEverything() throws {
        let id = Self.webhook
        let webhook = Webhook(id: id, url: "https://our.example/", events: [], secret: "", createdAt: Bench.date)
        let text = String(decoding: try LaurelJSON.encode(webhook), as: UTF8.self)
        try setServiceRecords([Self.webhooks + id: text])
    }

    /// The messages since the last call, without instants and ids.
    fileprivate func takeMessages() throws -> [String] {
        let end = Date(milliseconds: Bench.now + 1_000_000_000_000)
        let waiting = try dueMessages(to: Self.webhook, at: end, limit: .max)
        try settleMessages(Dictionary(uniqueKeysWithValues: waiting.map { ($0.name, nil) }))
        return try waiting.map { try #require($0.message).body.replacing(/"timestamp":"[^"]*"/, with: "") }.sorted()
    }
}

private enum Question: CaseIterable {
    case progress, tracks, achievements, sessions, words, streak, xp, learners, leaderboard, weekly, events, quarantine,
        size

    /// - Parameter instant: in milliseconds since 1970.
    func answer(of engine: ProgressEngine, _ id: String, at instant: Int64) throws -> String {
        let learner = engine.learner(id, timeZone: nil)
        guard try learner.isKnown() else { return "unknown" }
        let date = Date(milliseconds: instant)
        let data =
            switch self {
            case .progress: try LaurelJSON.encode(learner.progress(at: date))
            case .tracks: try LaurelJSON.encode(learner.tracks(at: date))
            case .achievements: try LaurelJSON.encode(learner.achievements(at: date))
            case .sessions: try LaurelJSON.encode(learner.sessions(at: date))
            case .words: try LaurelJSON.encode(learner.vocabulary(at: date))
            case .streak: try LaurelJSON.encode(learner.explainStreak(at: date))
            case .xp: try LaurelJSON.encode(learner.explainXP(at: date))
            case .learners: try LaurelJSON.encode(engine.learners(at: instant == Bench.now ? nil : date))
            case .leaderboard, .weekly:
                try LaurelJSON.encode(engine.leaderboard(board(at: Timestamp(milliseconds: instant))))
            case .events: try Data(engine.exported(learner: id).joined(separator: "\n").utf8)
            case .quarantine: try LaurelJSON.encode(engine.quarantineCounts())
            case .size: try Data("\(engine.size().learners) \(engine.size().events)".utf8)
            }
        return String(decoding: data, as: UTF8.self)
    }

    private func board(at instant: Timestamp) -> LeaderboardRequest {
        let day = LocalDay(number: Int32(instant.milliseconds / 86_400_000))
        return LeaderboardRequest(week: self == .weekly ? day : nil, instant: instant)
    }
}
