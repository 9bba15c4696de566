// SPDX-License-Identifier: Apache-2.0

extension Aggregate {
    /// `max: EXPRESSION`: the largest number.
    package static let max = Aggregate(ofNumbers: "max", .combine { $1 > $0 ? $1 : $0 })
}
