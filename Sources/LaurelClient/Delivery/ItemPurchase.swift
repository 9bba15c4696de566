// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A purchase of items, for ``Delivery/buy(_:)``.
public struct ItemPurchase: Sendable, Hashable {
    /// The learner's id.
    public let learner: String
    /// The item's name in the rules.
    public let item: String
    /// The number of items, 1 … 1000.
    public let count: Int
    /// The id of the purchase. If the same purchase is sent again with the same id and time, it is stored only once.
    public let id: String
    /// The time of the purchase, RFC 3339, with the offset of the learner's clock.
    public let time: String

    /// The `source` of the events of purchases.
    static let source = "laurel/shop"
}

extension ItemPurchase {
    /// Creates a purchase from its event; nil if the event is not a purchase.
    init?(event: [UInt8]) {
        struct Stored: Decodable {
            struct Fields: Decodable {
                var item: String
                var count: Int
            }

            var id, source, subject, time: String
            var data: Fields
        }
        let json = Data(event)
        guard json.range(of: Data("\"source\":\"\(Self.source)\"".utf8)) != nil,
            let stored = try? JSONDecoder().decode(Stored.self, from: json), stored.source == Self.source
        else { return nil }
        (learner, item, count) = (stored.subject, stored.data.item, stored.data.count)
        (id, time) = (stored.id, stored.time)
    }
}

/// The answer to a purchase that is stored.
public struct ItemReceipt: Sendable, Hashable {
    /// True if the same purchase was stored before, so that nothing changed.
    public var isDuplicate: Bool
    /// The learner's balances as of the purchase, by currency.
    public var balances: [String: Double]

    /// Creates a receipt. The properties describe the parameters.
    public init(isDuplicate: Bool, balances: [String: Double]) {
        (self.isDuplicate, self.balances) = (isDuplicate, balances)
    }
}

/// The error of a purchase that was refused. Nothing was bought.
public struct PurchaseRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The refused purchase.
    public var purchase: ItemPurchase
    /// The reason, such as `insufficient-balance`.
    public var code: String
    /// The reason for people, such as the missing amount.
    public var message: String

    /// Creates a refusal. The properties describe the parameters.
    public init(of purchase: ItemPurchase, code: String, message: String) {
        (self.purchase, self.code, self.message) = (purchase, code, message)
    }

    public var description: String { message }
}
