// SPDX-License-Identifier: Apache-2.0

extension Aggregate {
    /// `sum: EXPRESSION`: the sum of numbers.
    package static let sum = Aggregate(ofNumbers: "sum", .sum, allowsKeys: true) { range in
        NumberRange(
            low: range.low >= 0 ? 0 : -.infinity,
            high: range.high <= 0 ? 0 : .infinity,
            isWhole: range.isWhole
        )
    }
}
