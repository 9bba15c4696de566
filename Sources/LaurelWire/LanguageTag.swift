// SPDX-License-Identifier: Apache-2.0

/// True if a text has the form of a BCP 47 tag: subtags of 1 to 8 letters or digits, joined by hyphens. The first
/// subtag has only letters.
package func isLanguageTag(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var (length, isFirst) = (0, true)
    for byte in text {
        if byte == hyphen {
            guard length > 0 else { return false }
            (length, isFirst) = (0, false)
        } else {
            guard isLower(byte | 0x20) || (!isFirst && isDigit(byte)), length < 8 else { return false }
            length += 1
        }
    }
    return length > 0
}

/// A tag in the canonical case of RFC 5646, section 2.1.1: `pt-BR`, `zh-Hant`, `en-x-us`. Tags that differ only in case
/// mean the same language.
/// - Complexity: O(length).
package func canonicalLanguageTag(_ tag: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var canonical: [UInt8] = []
    canonical.reserveCapacity(tag.count)
    forEachCanonicalByte(of: tag) { canonical.append($1) }
    return canonical
}

package func isCanonicalLanguageTag(_ tag: UnsafeBufferPointer<UInt8>) -> Bool {
    var isCanonical = true
    forEachCanonicalByte(of: tag) { if tag[$0] != $1 { isCanonical = false } }
    return isCanonical
}

extension String {
    /// The tag in canonical case, as results show it.
    package var canonicalLanguageTag: String {
        var copy = self
        return copy.withUTF8 { String(decoding: LaurelWire.canonicalLanguageTag($0), as: UTF8.self) }
    }
}

/// Calls `body` with the canonical bytes. A subtag of two letters, a region, is upper case. A subtag of four letters, a
/// script, begins with an upper-case letter. The first subtag, and all subtags after a subtag of one letter, are lower
/// case.
private func forEachCanonicalByte(of tag: UnsafeBufferPointer<UInt8>, _ body: (_ position: Int, _ byte: UInt8) -> Void)
{
    var (start, isPlain) = (0, false)
    while start <= tag.count {
        let end = tag[start...].firstIndex(of: hyphen) ?? tag.count
        let length = end - start
        for position in start..<end {
            let isUpper = isPlain && (length == 2 || length == 4 && position == start)
            body(position, isUpper ? upper(tag[position]) : lower(tag[position]))
        }
        if end < tag.count { body(end, hyphen) }
        isPlain = length > 1 && (isPlain || start == 0)
        start = end + 1
    }
}

private let hyphen = UInt8(ascii: "-")

private func lower(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}

private func upper(_ byte: UInt8) -> UInt8 { isLower(byte) ? byte & ~0x20 : byte }
