// SPDX-License-Identifier: Apache-2.0

// In a YAML mapping in braces, a comma ends a value that is not quoted. YAML reads `{award: min(a, 2), when: b}` as
// three keys: `award`, `2)` and `when`.

extension FileLoader {
    /// Finds values that YAML split at a comma. Returns the range of entries for each such value. The first entry of a
    /// range has the value's key.
    func tornValues(_ entries: [YAMLEntry], _ keys: Keys) -> [Range<Int>] {
        var torn: [Range<Int>] = []
        var index = 0
        while index < entries.count {
            let first = entries[index]
            var end = index + 1
            var open = first.value.openParentheses
            if !keys.names.contains(first.key) { open = 0 }
            while open > 0, end < entries.count, !keys.names.contains(entries[end].key),
                isCommaBetween(entries[end - 1], entries[end])
            {
                open += entries[end].key.openParentheses + entries[end].value.openParentheses
                end += 1
            }
            if open == 0, end > index + 1 { torn.append(index..<end) }
            index = end
        }
        return torn
    }

    private func isCommaBetween(_ entry: YAMLEntry, _ next: YAMLEntry) -> Bool {
        let end = endOffset(of: entry)
        return end < next.keyOffset && source.bytes[end..<next.keyOffset].contains(UInt8(ascii: ","))
    }

    private func endOffset(of entry: YAMLEntry) -> Int {
        range(at: entry.value.isNull ? entry.keyOffset : entry.value.offset).upperBound
    }

    /// - Parameter entries: the entries into which one value was split; at least two.
    mutating func reportTorn(_ entries: ArraySlice<YAMLEntry>) {
        guard let first = entries.first, let last = entries.last else { return }
        let whole = first.value.offset..<endOffset(of: last)
        let text = String(decoding: source.bytes[whole], as: UTF8.self)
        let quote = text.contains("\"") ? "'" : "\""
        let isOneLine = !text.contains(where: \.isNewline) && !text.contains(quote) && !text.contains("\\")
        let message = "inside `{…}` a comma ends the value of `\(first.key)`: put the whole expression in quotes"
        report(whole, message, suggestion: isOneLine ? quote + text + quote : nil)
    }
}

extension YAMLNode {
    /// The number of unclosed parentheses in a value; 0 if the value is quoted or not a scalar.
    fileprivate var openParentheses: Int {
        guard let scalar, scalar.style == .plain else { return 0 }
        return scalar.text.openParentheses
    }
}

extension String {
    /// The number of opening parentheses minus the number of closing parentheses.
    fileprivate var openParentheses: Int {
        utf8.count { $0 == UInt8(ascii: "(") } - utf8.count { $0 == UInt8(ascii: ")") }
    }
}
