// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

extension EventColumns {
    /// The bytes of a text; empty for index 0. As ``text(_:)``, which another module's code calls rather than inlines.
    @inline(__always)
    func bytes(_ index: UInt32) -> UnsafeBufferPointer<UInt8> {
        guard index != 0 else { return UnsafeBufferPointer(start: textBytes, count: 0) }
        let start = Int(textEnds[Int(index) - 1])
        return UnsafeBufferPointer(start: textBytes + start, count: Int(textEnds[Int(index)]) - start)
    }
}

extension UnsafeBufferPointer<UInt8> {
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let one = baseAddress, let two = other.baseAddress else { return true }
        return memcmp(one, two, count) == 0
    }
}

extension String {
    /// True if they are spelled the same: `==` also takes different spellings of the same characters for equal.
    package func hasSameBytes(as other: String) -> Bool {
        // Mostly they are one text, or as short as to stand in the value itself; then nothing need be kept alive to look.
        let isSame = withUnsafeBytes(of: self) { one in withUnsafeBytes(of: other) { one.elementsEqual($0) } }
        if isSame { return true }
        var (one, other) = (self, other)
        return one.withUTF8 { one in other.withUTF8 { one.hasSameBytes(as: $0) } }
    }
}
