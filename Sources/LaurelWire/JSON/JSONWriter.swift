// SPDX-License-Identifier: Apache-2.0

/// Appends JSON to a list of bytes.
package enum JSONWriter {
    /// Appends a string in quotes. Only the escapes that RFC 8259 requires are used.
    package static func write(string text: some Sequence<UInt8>, to output: inout [UInt8]) {
        if text.withContiguousStorageIfAvailable({ write(string: $0, to: &output) }) == nil {
            Array(text).withUnsafeBufferPointer { write(string: $0, to: &output) }
        }
    }

    /// Appends a string in quotes. Sequences of bytes without escapes are copied at once.
    package static func write(string text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            writeEscape(byte, to: &output)
            start = index + 1
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        output.append(UInt8(ascii: "\""))
    }

    private static func writeEscape(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            output.append(contentsOf: "u00".utf8)
            output.append(digits[Int(byte >> 4)])
            output.append(digits[Int(byte & 15)])
        }
    }

    package static func write(_ text: StaticString, to output: inout [UInt8]) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package static func write(integer: Int64, to output: inout [UInt8]) {
        if integer < 0 { output.append(UInt8(ascii: "-")) }
        write(magnitude: integer.magnitude, to: &output)
    }

    /// Appends decimal digits without allocating memory.
    package static func write(magnitude: UInt64, to output: inout [UInt8]) {
        if magnitude < 10 { return output.append(UInt8(48 + magnitude)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (rest, first) = (magnitude, 20)
            repeat {
                first -= 1
                digits[first] = UInt8(48 + rest % 10)
                rest /= 10
            } while rest > 0
            output.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    /// Appends a finite number in its shortest spelling.
    package static func write(double: Double, to output: inout [UInt8]) {
        precondition(double.isFinite, "JSON has no infinities")
        output.append(contentsOf: double.description.utf8)
    }
}
