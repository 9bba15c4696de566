// SPDX-License-Identifier: Apache-2.0

/// A purchase that is stored.
public struct PurchaseReceipt: Codable, Sendable, Hashable {
    /// The id of the purchase.
    public var id: String
    /// The item, as the rules name it.
    public var item: String
    /// The number of items bought.
    public var count: Int
    /// True if the same purchase was stored before, and so nothing changed.
    public var isDuplicate: Bool
    /// The learner's progress as of the purchase, in all languages together.
    public var progress: LearnerProgress

    /// Creates a value, for previews and tests.
    public init(id: String, item: String, count: Int, isDuplicate: Bool, progress: LearnerProgress) {
        (self.id, self.item, self.count) = (id, item, count)
        (self.isDuplicate, self.progress) = (isDuplicate, progress)
    }

    private enum CodingKeys: String, CodingKey {
        case id, item, count
        case isDuplicate = "duplicate"
        case progress
    }
}
