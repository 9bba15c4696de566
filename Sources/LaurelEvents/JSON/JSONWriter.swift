/// Appends JSON to bytes.
package enum JSONWriter {
    /// A string with quotes; only what RFC 8259 demands is escaped.
    package static func write(string text: some Sequence<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text {
            if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                output.append(byte)
            } else {
                writeEscape(byte, to: &output)
            }
        }
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
        output.append(contentsOf: integer.description.utf8)
    }

    /// A finite number in its shortest spelling.
    package static func write(double: Double, to output: inout [UInt8]) {
        precondition(double.isFinite, "JSON has no infinities")
        output.append(contentsOf: double.description.utf8)
    }
}
