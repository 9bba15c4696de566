// SPDX-License-Identifier: Apache-2.0

/// True if a text has the form of a type's name: `[a-z][a-z0-9]*([._-][a-z0-9]+)*`
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

@inline(__always)
func isLower(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }

@inline(__always)
func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
