// SPDX-License-Identifier: Apache-2.0

/// How much quarantine takes in the file, and may take.
struct QuarantineBudget {
    /// Bytes of all lines, and of what is said of them, about.
    private(set) var used: Int64
    let limit: Int64
    private let usedBefore: Int64

    /// Without a limit that was asked for: a gibibyte, or less where the disk is small.
    private static let most: Int64 = 1 << 30
    private static let shareOfDisk: Int64 = 10

    /// - Parameters:
    ///   - limit: nil for what is usual.
    ///   - free: bytes where the store is; nil where that is not known.
    init(used: Int64, limit: Int64?, free: Int64?) {
        self.used = used
        usedBefore = used
        // What quarantine takes already is not free any more.
        let share = free.map { (max(0, $0) + used) / QuarantineBudget.shareOfDisk }
        self.limit = limit ?? min(QuarantineBudget.most, share ?? QuarantineBudget.most)
    }

    var isChanged: Bool { used != usedBefore }

    func hasRoom(for bytes: Int64) -> Bool { used + bytes <= limit }
    mutating func take(_ bytes: Int64) { used += bytes }
    mutating func giveBack(_ bytes: Int64) { used -= min(max(0, bytes), used) }
    mutating func giveAllBack() { used = 0 }
}

extension QuarantineRecord {
    /// Of a row and its place in the indexes, and of a piece.
    private static let rowBytes = 64
    private static let pieceBytes = 32

    /// What a row of `quarantine` takes, about, in bytes.
    var rowCost: Int64 {
        let texts = [eventID, source, subject].reduce(0) { $0 + ($1?.count ?? 0) }
        return Int64(
            QuarantineRecord.rowBytes + reason.utf8.count + message.utf8.count + (file?.utf8.count ?? 0) + texts
        )
    }

    static func cost(ofPiece packed: [UInt8]) -> Int64 { Int64(pieceBytes + packed.count) }
}
