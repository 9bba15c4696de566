// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

extension EventColumns {
    /// The bytes of a text; empty for index 0. This function can be inlined in other modules, but ``text(_:)`` cannot.
    @inline(__always)
    func bytes(_ index: UInt32) -> UnsafeBufferPointer<UInt8> {
        guard index != 0 else { return UnsafeBufferPointer(start: textBytes, count: 0) }
        let start = textEnds[Int(index) - 1]
        return UnsafeBufferPointer(start: textBytes + start, count: textEnds[Int(index)] - start)
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
    /// True if both strings have the same bytes. `==` is not enough: it also accepts different Unicode spellings of the
    /// same characters.
    package func hasSameBytes(as other: String) -> Bool {
        // Usually both are the same string, or short enough to be stored inline. Comparing the strings' own bytes in
        // memory then avoids retaining the storage.
        let isSame = withUnsafeBytes(of: self) { one in withUnsafeBytes(of: other) { one.elementsEqual($0) } }
        if isSame { return true }
        var (one, other) = (self, other)
        return one.withUTF8 { one in other.withUTF8 { one.hasSameBytes(as: $0) } }
    }
}
