// SPDX-License-Identifier: Apache-2.0

/// The space that quarantine takes in the file, and the space that it may take.
package struct QuarantineBudget {
    /// Bytes of all lines and of their descriptions, roughly.
    private(set) var used: Int64
    let limit: Int64
    private let usedBefore: Int64

    /// The limit, unless another is set: a gibibyte, or a tenth of what is free if that is less.
    package static let most: Int64 = 1 << 30
    private static let shareOfDisk: Int64 = 10

    /// - Parameters:
    ///   - used: by the transaction's partition.
    ///   - others: used by all others.
    ///   - limit: of all together, in bytes; nil for the default.
    ///   - free: free bytes on the store's disk; nil if not known.
    init(used: Int64, others: Int64, limit: Int64?, free: Int64?) {
        self.used = used
        usedBefore = used
        // The present content of quarantine counts as free, so that the limit does not shrink as it fills.
        let share = free.map { (max(0, $0) + used + others) / QuarantineBudget.shareOfDisk }
        self.limit = (limit ?? min(QuarantineBudget.most, share ?? QuarantineBudget.most)) - others
    }

    var isChanged: Bool { used != usedBefore }

    func hasRoom(for bytes: Int64) -> Bool { used + bytes <= limit }
    mutating func take(_ bytes: Int64) { used += bytes }
    mutating func giveBack(_ bytes: Int64) { used -= min(max(0, bytes), used) }
    mutating func giveAllBack() { used = 0 }
}

extension QuarantineRecord {
    /// The overhead of a row with its places in the indexes, and of a piece.
    private static let rowBytes = 64
    private static let pieceBytes = 32

    /// The space that a row of `quarantine` takes, in bytes, roughly.
    package var rowCost: Int64 {
        let texts = [eventID, source, subject].reduce(0) { $0 + ($1?.count ?? 0) }
        return Int64(
            QuarantineRecord.rowBytes + reason.utf8.count + message.utf8.count + (file?.utf8.count ?? 0) + texts
        )
    }

    static func cost(ofPiece packed: [UInt8]) -> Int64 { Int64(pieceBytes + packed.count) }
}
