// SPDX-License-Identifier: Apache-2.0

extension Aggregate {
    /// `last: EXPRESSION`: the latest number.
    package static let last = Aggregate(ofNumbers: "last", .last)
}
