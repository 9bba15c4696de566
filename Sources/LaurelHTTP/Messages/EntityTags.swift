// SPDX-License-Identifier: Apache-2.0

/// The entity tags of `If-Match` or `If-None-Match` (RFC 9110, section 8.8.3).
public struct EntityTags: Sendable, Hashable {
    /// True if the header is `*`, which matches any tag.
    public private(set) var isAny = false
    /// The tags with their quotes, but without the prefix `W/` of weak tags. A proxy that compresses an answer makes
    /// the answer's tag weak.
    public private(set) var tags: [String] = []
    /// The strong tags, with their quotes.
    public private(set) var strong: [String] = []

    /// Parses the value of a header.
    /// - Parameter field: the header's value; nil if there is no header. Parsing stops at the first text that is not a
    ///   tag.
    public init(_ field: String?) {
        var rest = (field ?? "").utf8[...]
        func skip(_ bytes: String) { rest = rest.drop { bytes.utf8.contains($0) } }
        skip(" \t")
        if rest.elementsEqual("*".utf8) { isAny = true }
        while !rest.isEmpty {
            skip(" \t,")
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            let quote = UInt8(ascii: "\"")
            guard rest.first == quote, let end = rest.dropFirst().firstIndex(of: quote) else { return }
            let tag = String(decoding: rest[...end], as: UTF8.self)
            tags.append(tag)
            if !isWeak { strong.append(tag) }
            rest = rest[rest.index(after: end)...]
        }
    }
}
