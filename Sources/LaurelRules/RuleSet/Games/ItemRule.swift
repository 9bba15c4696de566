// SPDX-License-Identifier: Apache-2.0

/// An item that learners buy.
package struct ItemRule: Sendable {
    package let name: String
    /// The price of one item, with one amount for each currency.
    package internal(set) var price: [Gift.Part]
    /// The gift of one item.
    package internal(set) var gift: Gift
    /// The largest number of items that a learner may buy; nil without a limit.
    package let limit: Int?
}
