// SPDX-License-Identifier: Apache-2.0

/// The changes of a balance, from the learner's first event on.
public struct BalanceExplanation: Codable, Sendable, Hashable {
    /// The learner's id.
    public var learner: String
    /// The currency, as the rules name it.
    public var currency: String
    /// The balance.
    public var balance: Int
    /// The changes in their order. Their amounts add up to the balance.
    public var changes: [Change]

    package init(learner: String, currency: String, balance: Int, changes: [Change]) {
        (self.learner, self.currency, self.balance, self.changes) = (learner, currency, balance, changes)
    }

    /// A change of the balance.
    public struct Change: Codable, Sendable, Hashable {
        /// The kind of cause.
        public enum Kind: String, Codable, Sendable, CaseIterable {
            /// The balance before the first event.
            case start
            /// Time has passed.
            case refill
            /// An award of the currency.
            case award
            /// A completed goal gave the amount.
            case goal
            /// An unlocked achievement gave the amount.
            case achievement
            /// An item was bought for the amount.
            case price
            /// A bought item gave the amount.
            case item
            /// A `currency.adjusted`.
            case adjustment
            /// The rules changed.
            case rules
        }

        /// The kind of cause.
        public var kind: Kind
        /// The id of the award, goal, achievement or item, or the reason of an adjustment; nil if there is none.
        public var name: String?
        /// The amount; negative if it was taken.
        public var amount: Int
        /// The event of the change; nil for the start, and for a refill after the last event.
        public var event: EventReference?

        package init(_ kind: Kind, _ name: String?, amount: Int, event: EventReference?) {
            (self.kind, self.name, self.amount, self.event) = (kind, name, amount, event)
        }
    }
}
