// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// Records in one input are decoded together. Each must give the same result as when it is decoded alone.
@Suite struct TogetherTests {
    @Test(arguments: 1...15) func `records decoded together come out as one by one`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var records: [[UInt8]] = []
        for _ in 0..<random.pick([1, 7, 300]) {
            var bytes = Array(random.event().utf8)
            for _ in 0..<random.pick([0, 0, 0, 0, 1, 3]) { random.damage(&bytes) }
            records.append(bytes)
        }
        let isList = seed.isMultiple(of: 3)
        let input = isList ? list(of: records, &random) : lines(records, &random)
        let rows = check(input, chunk: random.pick([64, 5000, 1 << 20]), seed)
        #expect(rows > 0 || isList || records.count < 10, "seed \(seed)")
    }

    /// Usual lines are read by fast paths, and with data remembered from earlier lines.
    @Test(arguments: 1...12) func `ordinary lines, some of them damaged, come out as one by one`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let separators = random.pick([[","], [", "], [",", ", ", " ,"]])
        let colons = random.pick([[":"], [": "], [":", ": ", " :"]])
        let damaged = random.pick([0, 2, 10])
        var input: [UInt8] = []
        for _ in 0..<500 {
            var line = Array(random.ordinaryLine(separators: separators, colons: colons).utf8)
            if Int.random(in: 0..<20, using: &random) < damaged { random.damage(&line) }
            input += line + Array(random.pick(["\n", "\n", "\n", "\r\n", " \n"]).utf8)
        }
        if Bool.random(using: &random) { input.removeLast() }
        let rows = check(input, chunk: random.pick([500, 30_000, 1 << 20]), seed)
        #expect(rows > 100, "seed \(seed)")
    }

    /// Data that a decoder remembers of one table must not be used for the next table.
    @Test func `a text in the place of an option that was there is none`() {
        func graded(_ id: String, _ more: String, _ data: String) -> String {
            #"{"id":"\#(id)","source":"app","type":"review.graded","subject":"ana","time":"2026-02-05T18:00:00Z","#
                + #"\#(more)"language":"es","session":"s","data":{\#(data)}}"# + "\n"
        }
        var decoder = EventDecoder()
        var refusals: [String] = []
        func decode(_ lines: String...) {
            var reader = InputReader(MemorySource(Array(lines.joined().utf8), name: "input"))
            var (batch, table) = (InputBatch(), EventTable())
            guard let more = try? reader.next(&batch), more else { return }
            batch.withBytes { bytes in
                decoder.decode(batch.records, of: bytes, into: &table, clock: testClock) { _ in
                } refused: {
                    refusals.append($1.message)
                }
            }
        }
        decode(graded("e1", "", #""word":"casa","grade":"again""#))
        #expect(refusals.isEmpty)
        decode(
            graded("e2", #""timezone":"Europe/Madrid","#, #""word":"fine","grade":"good""#),
            graded("e3", #""timezone":"Europe/Madrid","#, #""word":"casa","grade":"fine""#)
        )
        #expect(refusals.count == 1)
    }

    /// The names have the same length class, and the same index in the two tables.
    @Test func `a field in the place of another is checked by its own rule`() {
        var decoder = EventDecoder()
        func refusal(_ type: String, _ data: String, into table: inout EventTable) -> Refusal? {
            let text = line(["type": "\"\(type)\"", "language": #""es""#, "session": #""s""#, "data": data])
            let result = Array(text.utf8).withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &table, clock: testClock)
            }
            if case .refused(let refusal) = result { return refusal }
            return nil
        }
        var (first, second) = (EventTable(), EventTable())
        #expect(refusal("review.graded", #"{"ph":7,"word":"casa","grade":"good"}"#, into: &first) == nil)
        #expect(refusal("a.b", #"{"grade":"good"}"#, into: &second) == nil)
        #expect(refusal("review.graded", #"{"grade":"good","word":"casa"}"#, into: &second) == nil)
        #expect(refusal("review.graded", #"{"grade":"fine","word":"casa"}"#, into: &second) != nil)
    }

    /// A decoder keeps a bounded number of names, but senders may make up any number of them.
    @Test func `more types and fields than a decoder keeps come out as one by one`() {
        let lines = (0..<500).map { number in
            line([
                "id": "\"\(number)\"", "type": number < 300 ? "\"made.up\(number)\"" : #""quest.finished""#,
                "data": #"{"f\#(number)":\#(number),"note":"x"}"#,
            ])
        }
        #expect(check(Array(lines.joined(separator: "\n").utf8) + [10], chunk: 1 << 20, 0) == 500)
    }

    /// Compares the records of an input, decoded together, with each of them decoded alone.
    /// - Returns: the number of events.
    private func check(_ input: [UInt8], chunk: Int, _ seed: Int) -> Int {
        var reader = InputReader(MemorySource(input, name: "input"), chunk: chunk)
        var batch = InputBatch()
        var together = EventDecoder()
        var rows = 0
        while let more = try? reader.next(&batch), more {
            var table = EventTable()
            var row = 0
            batch.withBytes { bytes in
                func alone(_ index: Int) -> (table: EventTable, refusal: Refusal?) {
                    decode(Array(bytes[batch.records[index].range]))
                }
                var taken: [Int] = []
                together.decode(batch.records, of: bytes, into: &table, clock: testClock) {
                    taken.append($0)
                } refused: {
                    #expect($1 == alone($0).refusal, "seed \(seed)")
                }
                for index in taken {
                    let (other, refusal) = alone(index)
                    #expect(refusal == nil && row < table.count, "seed \(seed)")
                    guard other.count == 1, row < table.count else { continue }
                    #expect(encoded(table, row) == encoded(other), "seed \(seed)")
                    row += 1
                }
            }
            #expect(row == table.count, "seed \(seed)")
            rows += row
        }
        return rows
    }

    /// Adds blank lines, line breaks of both kinds, and white space around records.
    private func lines(_ records: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        records.flatMap { record in
            Array(random.pick(["", " ", "\t\n"]).utf8) + record
                + Array(random.pick(["\n", "\r\n", " \n", "\n\n"]).utf8)
        }
    }

    private func list(of records: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        let separated = records.map { Array(random.pick(["\n", " ", ""]).utf8) + $0 }
        return Array("[".utf8) + Array(separated.joined(separator: Array(random.pick([",", ",\n", "\n,"]).utf8)))
            + Array("]\n".utf8)
    }

    /// White space between tokens and escapes in texts change nothing, but prevent every fast path.
    @Test(arguments: 1...10) func `spelling does not matter`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<100 {
            let event = JSONValue(validated: random.event().utf8)!
            let compact = decode(event.json)
            let spellings = [spelled(event, space: " "), spelled(event, space: "\n\t"), spelled(event, escape: true)]
            for spelling in spellings {
                let other = decode(spelling)
                #expect(other.refusal == nil && compact.refusal == nil, "seed \(seed): \(spelling)")
                guard other.table.count == 1, compact.table.count == 1 else { continue }
                #expect(compact.table.hasSameContent(0, other.table, 0), "seed \(seed): \(spelling)")
                #expect(compact.table.hasSameIdentity(0, other.table, 0), "seed \(seed): \(spelling)")
            }
        }
    }

    private func spelled(_ value: JSONValue, space: String = "", escape: Bool = false) -> String {
        func inner(_ value: JSONValue) -> String { spelled(value, space: space, escape: escape) }
        func text(_ text: String) -> String { escape ? escaped(text) : JSONValue.string(text).json }
        switch value {
        case .string(let value): return text(value)
        case .array(let elements):
            return "[" + elements.map { space + inner($0) + space }.joined(separator: ",") + space + "]"
        case .object(let members):
            let spelled = members.map { text($0.key) + space + ":" + space + inner($0.value) }
            return "{" + space + spelled.joined(separator: space + ",") + space + "}"
        default: return value.json
        }
    }

    /// The text with every character as a UTF-16 escape.
    private func escaped(_ text: String) -> String {
        let codes = text.utf16.map { code in
            let digits = String(code, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + codes.joined() + "\""
    }
}
