// SPDX-License-Identifier: Apache-2.0

/// Counts values by ranges. All ranges have the same width: 1, 2 or 5, times a power of ten.
///
/// Equal values are counted together, because the scores of many learners are often only a few different numbers.
struct HistogramBins {
    private var exact: [Double: Int] = [:]
    private static let wantedBins = 12.0
    /// The minimum number of ranges. Fewer bars do not show a distribution.
    private static let fewestBins = 5

    mutating func add(_ value: Double) { exact[value, default: 0] += 1 }

    /// The counts as rows, ascending and without gaps. A row has the range's lower bound (inclusive), its upper bound
    /// (exclusive) and the count.
    var values: [[Cell]] {
        guard let least = exact.keys.min(), let most = exact.keys.max() else { return [] }
        let isWhole = exact.keys.allSatisfy { $0 == $0.rounded() }
        var step = NiceNumber.atLeast((most - least) / HistogramBins.wantedBins)
        if isWhole { step = max(1, step) }
        if step <= 0 || !step.isFinite { step = 1 }
        var first = (least / step).rounded(.down)
        var count = Int((most / step).rounded(.down) - first) + 1
        if count < HistogramBins.fewestBins {
            // Empty ranges are added on both sides. No range below 0 is added if no value is negative.
            let before = Double((HistogramBins.fewestBins - count) / 2)
            first -= least < 0 ? before : min(before, first)
            count = HistogramBins.fewestBins
        }
        var counts = Array(repeating: 0, count: count)
        for (value, number) in exact {
            counts[min(count - 1, max(0, Int((value / step).rounded(.down) - first)))] += number
        }
        return counts.enumerated().map { index, number in
            let lower = (first + Double(index)) * step
            return [.number(lower), .number(lower + step), .number(Double(number))]
        }
    }
}

extension DataTable {
    /// The table of a histogram, whose rows are ranges and counts.
    func asHistogram(_ exhibit: ExhibitDefinition, _ texts: TextTable) -> DataTable {
        guard let column = columns.first else { return self }
        var lower = column
        var upper = column
        lower.name = "from"
        lower.caption = column.title
        lower.title = texts(.from, ["title": column.title])
        upper.name = "below"
        upper.title = texts(.below)
        let title = exhibit.countedTitle ?? texts(.count)
        let count = Column(name: "count", title: title, type: .number, unit: exhibit.counted, decimals: 0)
        return DataTable(columns: [lower, upper, count], rows: rows)
    }
}
