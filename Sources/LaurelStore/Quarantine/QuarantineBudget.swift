// SPDX-License-Identifier: Apache-2.0

/// The space that quarantine uses in a store, and its limit.
package struct QuarantineBudget {
    /// The approximate number of bytes of all lines and their descriptions, in all partitions.
    private var used: Int64
    /// The limit for all partitions together, in bytes; nil for the default.
    private let limit: Int64?
    /// The bytes that the transaction has added to each partition, or removed from it.
    private(set) var changes: [Int: Int64] = [:]

    /// The default limit: a gibibyte, or a tenth of the free space if that is less.
    package static let most: Int64 = 1 << 30
    private static let shareOfDisk: Int64 = 10

    /// - Parameters:
    ///   - used: bytes used by all partitions.
    ///   - limit: the limit for all partitions together, in bytes; nil for the default.
    init(used: Int64, limit: Int64?) { (self.used, self.limit) = (used, limit) }

    /// - Parameter free: free bytes on the store's disk now, because a long transaction also stores events; nil if
    ///   unknown.
    func hasRoom(for bytes: Int64, free: Int64?) -> Bool {
        // The current content of quarantine counts as free space, so that the limit does not shrink as quarantine
        // fills.
        let share = free.map { (max(0, $0) + used) / QuarantineBudget.shareOfDisk }
        return used + bytes <= limit ?? min(QuarantineBudget.most, share ?? QuarantineBudget.most)
    }

    /// Adds bytes to a partition; a negative number removes them.
    mutating func add(_ bytes: Int64, to partition: Int) {
        used += bytes
        changes[partition, default: 0] += bytes
    }
}

extension QuarantineRecord {
    /// The overhead of a row with its index entries, and of a piece.
    private static let rowBytes = 64
    private static let pieceBytes = 32

    /// The approximate size of a row of `quarantine` in bytes.
    package var rowCost: Int64 {
        let texts = [eventID, source, subject].reduce(0) { $0 + ($1?.count ?? 0) }
        return Int64(
            QuarantineRecord.rowBytes + reason.utf8.count + message.utf8.count + (file?.utf8.count ?? 0) + texts
        )
    }

    static func cost(ofPiece packed: [UInt8]) -> Int64 { Int64(pieceBytes + packed.count) }
}
