// SPDX-License-Identifier: Apache-2.0

extension Aggregate {
    /// `count: TYPES`: the number of events.
    package static let count = Aggregate("count", .count, allowsKeys: true, isWhole: true) { _ in .counts }
}
