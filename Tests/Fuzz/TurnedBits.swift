// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Foundation

@testable import LaurelStore

/// Flips every bit of one page of each kind. `verify` must notice each flip, and a reader must get an error or the
/// original content.
final class TurnedBits {
    /// One of several processes that share the work.
    struct Share {
        var number = 1
        var count = 1

        /// Parses `2/3`, the second of three.
        init?(_ text: String) {
            let numbers = text.split(separator: "/").compactMap { Int($0) }
            guard numbers.count == 2, numbers[0] > 0, numbers[0] <= numbers[1] else { return nil }
            (number, count) = (numbers[0], numbers[1])
        }

        init() {}

        func has(_ index: Int) -> Bool { index % count == number - 1 }
    }

    /// The kinds of pages, such as `tail leaf` or `blocks overflow`, with one page each.
    private let kinds: [(name: String, page: Int)]
    private let path: String
    private let sound: [UInt8]
    private let reading: StoreReading
    private let file: Int32
    private let lasting: LastingLook
    /// The pages that are read only when a store is opened.
    private let schemaPages: Set<Int>
    private static let pageSize = 4096

    init() throws {
        path = TurnedBits.folder + "/laurel-bits-\(getpid()).db"
        try SmallStore.make(path)
        sound = Array(try Data(contentsOf: URL(filePath: path)))
        (kinds, schemaPages) = try TurnedBits.pages(path, sound)
        lasting = try LastingLook(path)
        reading = try StoreReading(OpeningLook(path: path))
        file = open(path, O_WRONLY)
        let problems = TurnedBits.problems(lasting)
        FuzzTarget.expect(problems.isEmpty, "the store is not sound: \(problems)")
        say("bits: \(kinds.count) kinds of pages, \(sound.count / TurnedBits.pageSize) pages")
    }

    deinit {
        close(file)
        for suffix in ["", "-wal", "-shm", "-lock"] { unlink(path + suffix) }
    }

    /// A folder in memory, if there is one.
    private static let folder =
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

    /// Flips every bit of one page of each kind, one after another.
    /// - Parameter step: 1 for every bit, 8 for one bit of each byte.
    func run(step: Int, share: Share) {
        var (index, total) = (0, 0)
        for (name, number) in kinds {
            let page = page(number, name)
            var (turned, refused) = (0, 0)
            for bit in stride(from: 0, to: TurnedBits.pageSize * 8, by: step) {
                index += 1
                guard share.has(index) else { continue }
                // Another bit of each byte.
                let bit = bit + (step > 1 ? bit / 8 % step : 0)
                if turn(bit, of: page) { refused += 1 }
                turned += 1
            }
            total += turned
            say("  \(turned) bits of page \(number), \(name): all noticed, \(refused) times nothing was read")
        }
        say("bits: \(total) turned over, each noticed, share \(share.number)/\(share.count)")
    }

    /// Flips a number of random bits of any page, one after another.
    func run(count: Int, seed: UInt64) {
        say("bits: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var (refused, pages) = (0, [Int: Page]())
        for _ in 0..<count {
            let number = Int.random(in: 1...sound.count / TurnedBits.pageSize, using: &random)
            let page = pages[number] ?? page(number, "any")
            pages[number] = page
            if turn(Int.random(in: 0..<TurnedBits.pageSize * 8, using: &random), of: page) { refused += 1 }
        }
        say("bits: \(count) turned over, each noticed, \(refused) times nothing was read, seed \(seed)")
    }

    /// Prints immediately, because the run takes long.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// A page, the way to read it, and the content that depends on it.
    private struct Page {
        let number: Int
        let name: String
        let look: any StoreLook
        /// The indexes of the pieces that cannot be read without the page.
        let pieces: [Int]
    }

    /// Finds the content that depends on a page, by zeroing the whole page.
    private func page(_ number: Int, _ name: String) -> Page {
        let look: any StoreLook = schemaPages.contains(number) ? OpeningLook(path: path) : lasting
        let place = (number - 1) * TurnedBits.pageSize
        let zeros = [UInt8](repeating: 0, count: TurnedBits.pageSize)
        pwrite(file, zeros, zeros.count, place)
        let answers = try? look.read { reading.answers($0, of: Array(reading.pieces.indices)) }
        let pieces = reading.pieces.indices.filter { answers?[$0] != true }
        pwrite(file, Array(sound[place..<place + zeros.count]), zeros.count, place)
        return Page(number: number, name: name, look: look, pieces: pieces)
    }

    /// - Returns: true if the reader got an error.
    private func turn(_ bit: Int, of page: Page) -> Bool {
        let place = (page.number - 1) * TurnedBits.pageSize + bit / 8
        var byte = sound[place] ^ 1 << UInt8(bit % 8)
        pwrite(file, &byte, 1, place)
        defer {
            byte = sound[place]
            pwrite(file, &byte, 1, place)
        }
        let what = "bit \(bit) of page \(page.number), \(page.name)"
        // The full `verify` for some bits; for every bit, its check of the pages.
        let isWhole = bit % 61 == 0
        if (isWhole ? TurnedBits.problems(page.look) : TurnedBits.problemsOfPages(page.look)).isEmpty {
            // Header fields that other programs may change are reported as remarks, not as damage.
            FuzzTarget.expect(
                page.number == 1 && TurnedBits.isRemarked(page.look),
                "\(what): verify has not noticed it"
            )
        }
        guard let answers = try? page.look.read({ reading.answers($0, of: page.pieces) }) else { return true }
        FuzzTarget.expect(!answers.contains(false), "\(what): something else is read, without an error")
        return answers.contains(nil)
    }

    private static func pages(
        _ path: String,
        _ bytes: [UInt8]
    ) throws -> (kinds: [(name: String, page: Int)], schema: Set<Int>) {
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY)
        let statement = try connection.newStatement("SELECT name, pagetype, pageno FROM dbstat ORDER BY pageno")
        var (kinds, schema, used): ([String: Int], Set<Int>, Set<Int>) = ([:], [], [1, 2])
        while try statement.step() {
            let (name, page) = (statement.string(0), Int(statement.integer(2)))
            used.insert(page)
            if name == "sqlite_schema" { schema.insert(page) }
            let kind = "\(name) \(statement.string(1))"
            if kinds[kind] == nil { kinds[kind] = page }
        }
        // With automatic vacuuming, a page that records which page points to which.
        kinds["map"] = 2
        let trunk = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
        kinds["free trunk"] = trunk
        kinds["free"] = (3...bytes.count / pageSize).first { !used.contains($0) && $0 != trunk }
        return (kinds.map { ($0, $1) }.sorted { $0.page < $1.page }, schema)
    }

    private static func problems(_ look: any StoreLook) -> [String] {
        do {
            return try look.read { try $0.verify { _, _ in } }.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    private static func problemsOfPages(_ look: any StoreLook) -> [String] {
        do {
            return try look.read { reader in
                guard let tables = (reader as? StoreSession)?.tables as? SQLiteTables else { return [] }
                return try PageChecksums.examine(tables.connection).problems
            }
        } catch {
            return ["\(error)"]
        }
    }

    private static func isRemarked(_ look: any StoreLook) -> Bool {
        let remarks = try? look.read { try $0.remarks() }
        return remarks?.contains { $0.hasPrefix("another program has changed the header") } ?? false
    }
}
