// SPDX-License-Identifier: Apache-2.0

import CZlib
import CZstd
import LaurelEvents
import Testing

/// The records of an input as `line: text`; an oversized one as `line: <bytes>`; a final error as `! message`.
func records(_ bytes: [UInt8], shape: InputShape = .events, chunk: Int = 1 << 16) -> [String] {
    var reader = InputReader(MemorySource(bytes, name: "file"), shape: shape, chunk: chunk)
    var batch = InputBatch()
    var found: [String] = []
    var size = 0
    do throws(InputError) {
        while try reader.next(&batch) {
            for record in batch.records {
                let bytes = batch.bytes(of: record)
                switch record.part {
                case .whole: found.append("\(record.line): \(String(decoding: bytes, as: UTF8.self))")
                case .begin: size = bytes.count
                case .piece: size += bytes.count
                case .end: found.append("\(record.line): <\(size + bytes.count)>")
                }
            }
        }
    } catch {
        found.append("! " + error.message)
    }
    return found
}

@Suite struct InputReaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var shape = InputShape.events
        var expected: [String]
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "empty", text: "", expected: []),
        Case(name: "blank", text: " \n\r\n\t", expected: []),
        Case(name: "lines", text: "{\"a\":1}\n{\"b\":2}\n", expected: ["1: {\"a\":1}", "2: {\"b\":2}"]),
        Case(name: "no line end", text: "{\"a\":1}\n{\"b\":2}", expected: ["1: {\"a\":1}", "2: {\"b\":2}"]),
        Case(
            name: "CRLF and blank lines",
            text: "\r\n{1}\r\n\r\n  \r\n {2} \r\n{3}\r",
            expected: ["2: {1}", "5:  {2} ", "6: {3}"]
        ),
        Case(name: "BOM", text: "\u{FEFF}{1}\n{2}", expected: ["1: {1}", "2: {2}"]),
        Case(name: "BOM only", text: "\u{FEFF}", expected: []),
        Case(name: "two bytes", text: "{}", expected: ["1: {}"]),
        Case(name: "indented first line", text: "\n  {1}\n", expected: ["2:   {1}"]),
        Case(name: "array", text: "[{\"a\":1},{\"b\":2}]", expected: ["1: {\"a\":1}", "1: {\"b\":2}"]),
        Case(
            name: "pretty array",
            text: "\u{FEFF}\n [\n  {\n    \"a\": \"]},{\\\"\\\\\"\n  },\r\n  [1, {}], \"x,\", 5\n]\n",
            expected: ["3: {\n    \"a\": \"]},{\\\"\\\\\"\n  }", "6: [1, {}]", "6: \"x,\"", "6: 5"]
        ),
        Case(name: "empty array", text: " [ ] ", expected: []),
        Case(name: "commas missing and too many", text: "[{1}{2},,{3},]", expected: ["1: {1}", "1: {2}", "1: {3}"]),
        Case(
            name: "arrays and lines",
            text: "[{1}]\n[{2}]\n{3}\n[4]\n",
            expected: ["1: {1}", "2: {2}", "3: {3}", "4: [4]"]
        ),
        Case(
            name: "unfinished array",
            text: "[{1},\n{2}",
            expected: ["1: {1}", "2: {2}", "! the list of events does not end: ] is missing at byte 9"]
        ),
        Case(
            name: "unfinished element",
            text: "[{1},{\"2",
            expected: ["1: {1}", "1: {\"2", "! the list of events does not end: ] is missing at byte 8"]
        ),
        Case(
            name: "a string that does not end",
            text: "[{\"a\":\"b\n{1}\n{2}\n",
            expected: ["1: {\"a\":\"b", "2: {1}", "3: {2}"]
        ),
        Case(
            name: "CSV",
            text: "a,b\r\n\"x\ny\",\"q\"\"\n\"\n1,c\"d\n\n2,\"\"\n",
            shape: .csv,
            expected: ["1: a,b", "2: \"x\ny\",\"q\"\"\n\"", "5: 1,c\"d", "7: 2,\"\""]
        ),
    ]

    @Test(arguments: cases) func `records, wherever the chunks end`(input: Case) {
        for chunk in 1...9 {
            #expect(records(Array(input.text.utf8), shape: input.shape, chunk: chunk) == input.expected)
        }
        #expect(records(Array(input.text.utf8), shape: input.shape) == input.expected)
    }

    @Test(arguments: [1 << 17, 1 << 22]) func `an oversized line comes in pieces`(chunk: Int) {
        let long = [UInt8](repeating: 0x61, count: 5 << 20)
        let longest = [UInt8](repeating: 0x62, count: 1 << 20)
        var input = Array("{1}\r\n".utf8)
        input += long
        input += Array("\r\n".utf8)
        input += longest
        input += Array("\n{4}".utf8)
        let found = records(input, chunk: chunk)
        #expect(
            found.map { $0.count < 40 ? $0 : String($0.prefix(4)) } == ["1: {1}", "2: <5242880>", "3: b", "4: {4}"]
        )
        #expect(found[2].count == (1 << 20) + 3)
        #expect(
            records(Array("[\n".utf8) + [0x22] + long + Array("\",2]".utf8), chunk: chunk) == ["2: <5242882>", "2: 2"]
        )
    }

    /// 20 MB in one line. The reader never holds more than a chunk and the longest record.
    @Test func `a line of 20 MB is kept whole`() {
        var input = [UInt8](repeating: 0x78, count: 20_000_000)
        input.append(UInt8(ascii: "\n"))
        #expect(records(input, chunk: 1 << 20) == ["1: <20000000>"])
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream,
            6,
            Z_DEFLATED,
            15 + 16,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        defer { deflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1000))
        let (inputCount, outputCount) = (UInt32(input.count), UInt32(output.count))
        return input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, inputCount)
                (stream.next_out, stream.avail_out) = (output.baseAddress, outputCount)
                precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END)
                return Array(output[0..<Int(outputCount - stream.avail_out)])
            }
        }
    }

    private static func zstd(_ bytes: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let count = output.count
        let size = output.withUnsafeMutableBytes { ZSTD_compress($0.baseAddress, count, bytes, bytes.count, 3) }
        return Array(output[0..<size])
    }

    private static let text = (1...5000).map { "{\"id\":\"\($0 * 7919 % 5000)\"}" }
    private static let plain = Array((text.joined(separator: "\n") + "\n").utf8)
    private static let expected = text.enumerated().map { "\($0.offset + 1): \($0.element)" }

    @Test(arguments: [1, 100, 1 << 20]) func `unpacks gzip and zstd, in many parts`(chunk: Int) {
        let half = InputReaderTests.plain.count / 2
        let (one, two) = (Array(InputReaderTests.plain[..<half]), Array(InputReaderTests.plain[half...]))
        typealias Pack = ([UInt8]) -> [UInt8]
        for pack in [InputReaderTests.gzip, InputReaderTests.zstd] as [Pack] {
            #expect(records(pack(InputReaderTests.plain), chunk: chunk) == InputReaderTests.expected)
            #expect(records(pack(one) + pack([]) + pack(two), chunk: chunk) == InputReaderTests.expected)
        }
        #expect(
            records(InputReaderTests.gzip(InputReaderTests.plain) + [0, 0, 0], chunk: chunk)
                == InputReaderTests.expected
        )
    }

    @Test func `delivers what came before a break`() {
        for (name, packed) in [
            ("gzip", InputReaderTests.gzip(InputReaderTests.plain)),
            ("zstd", InputReaderTests.zstd(InputReaderTests.plain)),
        ] {
            let cut = packed.count - 5
            let found = records(Array(packed[..<cut]))
            #expect(found.last == "! the \(name) data ends in the middle, at byte \(cut); the file was cut off")
            #expect(InputReaderTests.expected.starts(with: found.dropLast()))
            let whole = records(packed + Array("junk".utf8))
            #expect(whole.count == 5001)
            #expect(whole.last?.hasPrefix("! the \(name) data is damaged at byte ") == true)
        }
        var damaged = InputReaderTests.gzip(InputReaderTests.plain)
        damaged[damaged.count / 2] ^= 0x55
        #expect(records(damaged).last?.hasPrefix("! the gzip data is damaged at byte ") == true)
    }

    @Test func `delivers what came before a damaged block, however much is read at once`() {
        let lines = (1...20_000).map { "{\"id\":\"\($0 * 7919 % 20_000)\"}" }
        let packed = InputReaderTests.zstd(Array(lines.joined(separator: "\n").utf8))
        var breaks = 0
        for place in packed.count - 12..<packed.count {
            var damaged = packed
            damaged[place] ^= 0x55
            let (pieces, whole) = (records(damaged, chunk: 5000), records(damaged, chunk: 1 << 20))
            #expect(pieces.dropLast() == whole.dropLast(), "byte \(place)")
            if whole.count > 5000, whole.last?.hasPrefix("! the zstd data is damaged at byte ") == true { breaks += 1 }
        }
        #expect(breaks > 0)
    }

    @Test(arguments: [1, 9, 1 << 16]) func `delivers a block before the damaged header of the next`(chunk: Int) {
        let block: [UInt8] = [0x18, 0, 0] + Array("{}\n".utf8)
        let ofNoKind: [UInt8] = [0x06, 0, 0]
        let found = records([0x28, 0xB5, 0x2F, 0xFD, 0, 0x58] + block + block + ofNoKind, chunk: chunk)
        #expect(found.count == 3)
        #expect(found.last?.hasPrefix("! the zstd data is damaged at byte ") == true)
    }

    @Test func `says which file cannot be opened`() {
        #expect(throws: InputError.self) { try InputReader(path: "/nonexistent/events.ndjson") }
        do throws(InputError) {
            _ = try InputReader(path: "/tmp")
        } catch {
            #expect(error.description == "/tmp: is a directory, not a file")
        }
    }
}
