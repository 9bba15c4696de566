// SPDX-License-Identifier: Apache-2.0

/// `[a-z][a-z0-9]*([._-][a-z0-9]+)*`
package func isTypeName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, isLower(first) else { return false }
    var afterSeparator = false
    for byte in text {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            if afterSeparator { return false }
            afterSeparator = true
        default:
            guard isLower(byte) || isDigit(byte) else { return false }
            afterSeparator = false
        }
    }
    return !afterSeparator
}

/// The shape of a BCP 47 tag: subtags of 1 to 8 letters or digits joined by hyphens, the first of letters only.
package func isLanguageTag(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (length, isFirst) = (0, true)
    for byte in text {
        if byte == UInt8(ascii: "-") {
            guard length > 0 else { return false }
            (length, isFirst) = (0, false)
        } else {
            guard isLower(byte | 0x20) || (!isFirst && isDigit(byte)), length < 8 else { return false }
            length += 1
        }
    }
    return length > 0
}

@inline(__always)
private func isLower(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }

@inline(__always)
private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
