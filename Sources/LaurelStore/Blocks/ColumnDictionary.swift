// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Assigns codes to the texts of one column. Frequent texts get small codes, unless most texts occur only once.
///
/// One instance serves a whole batch of columns. Each entry contains the number of its column, so no entry needs to
/// be cleared between columns.
struct ColumnDictionary {
    /// For each text, the number of the column in the upper 32 bits, and the code in the lower 32 bits. Both are in
    /// one word, because successive texts' entries are far apart in memory, so reading two words would take longer.
    private var slots: [UInt64] = []
    private var stamp: UInt64 = 0

    /// Converts indexes of a table into codes. Also returns the index for each code, from code 1 on. Code 0 stands for
    /// index 0, which means no text.
    mutating func encode(_ indexes: [UInt32], textCount: Int) -> (codes: [Int64], texts: [UInt32]) {
        if slots.count < textCount { slots.append(contentsOf: repeatElement(0, count: textCount - slots.count)) }
        stamp += 1
        var texts: [UInt32] = []
        var counts: [Int] = []
        var result = [Int64](repeating: 0, count: indexes.count)
        var last: (index: UInt32, code: Int) = (0, 0)
        for (position, index) in indexes.enumerated() where index != 0 {
            // Successive texts are often equal.
            if index == last.index {
                counts[last.code - 1] += 1
                result[position] = Int64(last.code)
                continue
            }
            if slots[Int(index)] >> 32 != stamp {
                texts.append(index)
                counts.append(0)
                slots[Int(index)] = stamp << 32 | UInt64(texts.count)
            }
            last = (index, Int(slots[Int(index)] & 0xFFFF_FFFF))
            counts[last.code - 1] += 1
            result[position] = Int64(last.code)
        }
        guard texts.count > 1, texts.count * 4 < indexes.count * 3 else { return (result, texts) }
        let order = ColumnDictionary.descending(counts)
        var rank = [Int64](repeating: 0, count: texts.count + 1)
        for (position, code) in order.enumerated() { rank[code + 1] = Int64(position + 1) }
        for position in result.indices { result[position] = rank[Int(result[position])] }
        return (result, order.map { texts[$0] })
    }

    /// The indexes of `counts`, sorted by descending count. The counting sort treats all counts of 255 and more as
    /// equal. Indexes with equal counts keep their order.
    private static func descending(_ counts: [Int]) -> [Int] {
        let cap = 255
        var starts = [Int](repeating: 0, count: cap + 2)
        for count in counts { starts[cap - min(count, cap) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var order = [Int](repeating: 0, count: counts.count)
        for (code, count) in counts.enumerated() {
            let partition = cap - min(count, cap)
            order[starts[partition]] = code
            starts[partition] += 1
        }
        return order
    }
}
