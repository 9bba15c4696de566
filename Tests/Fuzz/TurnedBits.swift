import CSQLite
import Foundation
import LaurelEvents
import LaurelProgress
import LaurelStore

@testable import LaurelStore

/// Every bit of one page of each kind: that it has turned over is noticed by `verify`, and whoever reads gets an error, or
/// what there was.
final class TurnedBits {
    /// `tail leaf`, `blocks overflow` and the like, and a page of it.
    private let kinds: [(name: String, page: Int)]
    private let path: String
    private let sound: [UInt8]
    private let said: Reading
    private let file: Int32
    private static let pageSize = 4096

    init() throws {
        path = NSTemporaryDirectory() + "laurel-bits-\(getpid()).db"
        try SmallStore.make(path)
        sound = Array(try Data(contentsOf: URL(filePath: path)))
        kinds = try TurnedBits.kinds(path, sound)
        guard let said = TurnedBits.reading(path), TurnedBits.problems(path).isEmpty else {
            fatalError("the store is not sound: \(TurnedBits.problems(path))")
        }
        self.said = said
        file = open(path, O_WRONLY)
        say("bits: \(kinds.count) kinds of pages, \(sound.count / TurnedBits.pageSize) pages")
    }

    deinit {
        close(file)
        for suffix in ["", "-wal", "-shm", "-lock"] { unlink(path + suffix) }
    }

    /// Turns over every bit of one page of each kind, one after the other.
    /// - Parameter step: 1 for every bit, 8 for one of each byte.
    func run(step: Int) throws {
        var total = 0
        for (name, page) in kinds {
            var (turned, refused) = (0, 0)
            for bit in stride(from: 0, to: TurnedBits.pageSize * 8, by: step) {
                // Another bit of each byte.
                let bit = bit + (step > 1 ? bit / 8 % step : 0)
                if try turn(bit, of: page, name) { refused += 1 }
                turned += 1
            }
            total += turned
            say("  \(turned) bits of page \(page), \(name): all noticed, \(refused) times nothing was read")
        }
        say("bits: \(total) turned over, each noticed")
    }

    /// Turns over so many bits of any page, one after the other.
    func run(count: Int, seed: UInt64) throws {
        say("bits: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<count {
            let page = Int.random(in: 1...sound.count / TurnedBits.pageSize, using: &random)
            if try turn(Int.random(in: 0..<TurnedBits.pageSize * 8, using: &random), of: page, "any") { refused += 1 }
        }
        say("bits: \(count) turned over, each noticed, \(refused) times nothing was read, seed \(seed)")
    }

    /// At once, for it takes long.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// - Returns: whether whoever read got an error.
    private func turn(_ bit: Int, of page: Int, _ name: String) throws -> Bool {
        let place = (page - 1) * TurnedBits.pageSize + bit / 8
        var byte = sound[place] ^ 1 << UInt8(bit % 8)
        pwrite(file, &byte, 1, place)
        defer {
            byte = sound[place]
            pwrite(file, &byte, 1, place)
        }
        let what = "bit \(bit) of page \(page), \(name)"
        if TurnedBits.problems(path).isEmpty {
            // What other programs may change of the header is told of, and is no damage.
            FuzzTarget.expect(page == 1 && TurnedBits.isRemarked(path), "\(what): verify has not noticed it")
        }
        guard let read = TurnedBits.reading(path) else { return true }
        FuzzTarget.expect(read == said, "\(what): something else is read, without an error")
        return false
    }

    private static func kinds(_ path: String, _ bytes: [UInt8]) throws -> [(name: String, page: Int)] {
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY)
        let statement = try connection.newStatement(
            "SELECT name || ' ' || pagetype, pageno FROM dbstat ORDER BY pageno"
        )
        var (kinds, used): ([String: Int], Set<Int>) = ([:], [1, 2])
        while try statement.step() {
            let (name, page) = (statement.string(0), Int(statement.integer(1)))
            used.insert(page)
            if kinds[name] == nil { kinds[name] = page }
        }
        // Where automatic vacuuming keeps which page points to which.
        kinds["map"] = 2
        let trunk = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
        kinds["free trunk"] = trunk
        kinds["free"] = (3...bytes.count / pageSize).first { !used.contains($0) && $0 != trunk }
        return kinds.map { ($0, $1) }.sorted { $0.page < $1.page }
    }

    private static func withStore<T>(_ path: String, _ body: (SQLiteStore) throws -> T) rethrows -> T? {
        guard let store = try? SQLiteStore(path: path, mode: .readOnly) else { return nil }
        defer { store.close() }
        return try body(store)
    }

    private static func problems(_ path: String) -> [String] {
        do {
            return try withStore(path) { try $0.read { try $0.verify { _, _ in } } }?.map(\.description) ?? ["closed"]
        } catch {
            return ["\(error)"]
        }
    }

    private static func isRemarked(_ path: String) -> Bool {
        let remarks = try? withStore(path) { try $0.read { try $0.remarks() } }
        return remarks?.contains { $0.hasPrefix("another program has changed the header") } ?? false
    }

    /// nil where the store says that it is damaged.
    private static func reading(_ path: String) -> Reading? {
        try? withStore(path) { store in try store.read { try Reading($0) } }
    }
}

/// All that a store says.
private struct Reading: Equatable {
    private var head: [String?] = []
    private var rules: [[RulesRecord]] = []
    private var events: [UInt8] = []
    private var projections: [LearnerProjection?] = []
    private var states: [[UInt8]?] = []
    private var places: [[CheckpointPlace]] = []
    private var copies: [[RememberedCopy]] = []
    private var overviews: [OverviewRecord] = []
    private var learners: [LearnerRecord] = []
    private var standings: [Double] = []
    private var refused: [QuarantineRecord] = []
    private var counts: [ReasonCount] = []

    init(_ reader: any StoreReader) throws {
        head = [try reader.timeZones(), "\(try reader.foldVersion())", "\(try reader.quarantinedOfNobody())"]
        rules = [try reader.rules(), try reader.rulesHistory()]
        try reader.forEachLearner(ids: reader.learnerIDs()) { try add($0, $1, reader) }
        try reader.forEachLearner { learners.append($0) }
        try reader.forEachOverview { overviews.append($0) }
        try reader.forEachXP(language: nil, days: nil, cohort: nil) { standings += [Double($0), $1] }
        counts = try reader.quarantineCounts()
        refused = try reader.quarantined(after: 0, limit: 100)
        for line in refused { try reader.forEachPiece(ofQuarantined: line.id) { states.append(Array($0)) } }
    }

    private mutating func add(_ learner: LearnerRecord, _ runs: [EventRun], _ reader: any StoreReader) throws {
        for run in runs {
            for row in run.rows { run.table.encode(row, subject: learner.subject, into: &events) }
        }
        projections.append(try reader.projection(of: learner.id))
        states.append(try reader.snapshot(of: learner.id))
        copies.append(try reader.copies(of: learner.id))
        places.append(try reader.checkpoints(of: learner.id))
        for place in places[places.count - 1] {
            states.append(try reader.checkpoint(of: learner.id, before: place.milliseconds + 1))
        }
    }
}
