// SPDX-License-Identifier: Apache-2.0

extension Aggregate {
    /// `distinct: EXPRESSION`: the number of different values.
    package static let distinct = Aggregate(
        "distinct",
        .distinct,
        operand: Operand(key: "distinct", type: nil),
        isWhole: true
    ) { NumberRange(low: 0, high: $0?.valueCount ?? .infinity, isWhole: true) }
}

extension ValueRange {
    /// The number of possible values, null excluded; infinite if the number is unknown.
    fileprivate var valueCount: Double {
        switch content {
        case .nothing: 0
        case .texts(let texts): texts.map { Double($0.count) } ?? .infinity
        case .booleans(let canBeTrue, let canBeFalse): (canBeTrue ? 1 : 0) + (canBeFalse ? 1 : 0)
        case .numbers(let range):
            range.single != nil ? 1 : range.isWhole ? range.high.rounded(.down) - range.low.rounded(.up) + 1 : .infinity
        }
    }
}
