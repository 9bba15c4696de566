// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelStore
import LaurelSystem

/// A line that is too long for an event. Its bytes are collected in a temporary file, and then put into quarantine. A
/// pipe may pause within the line, and no write to the store may wait for the pipe.
final class OversizedLine {
    /// The line's number.
    let number: Int
    /// The first bytes of the line, which select its partition.
    private(set) var head: [UInt8] = []
    /// The file; nil if the line is too long for quarantine, or if the file cannot be written.
    private var file: FileHandle?
    private var size: Int64 = 0

    private static let headBytes = 1024
    private static let pieceBytes = 1 << 20

    init(number: Int) {
        self.number = number
        file = OversizedLine.temporaryFile()
    }

    /// Creates a file without a name, which the system deletes when it is closed.
    private static func temporaryFile() -> FileHandle? {
        var path = Array(FileManager.default.temporaryDirectory.appending(path: "laurel-line-XXXXXX").path.utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        unlink(path)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func append(_ bytes: [UInt8]) {
        if head.count < OversizedLine.headBytes { head += bytes.prefix(OversizedLine.headBytes - head.count) }
        size += Int64(bytes.count)
        do {
            if size > QuarantineBudget.most { file = nil }
            try file?.write(contentsOf: Data(bytes))
        } catch {
            file = nil
        }
    }

    /// Puts the line into quarantine.
    /// - Returns: the line's id in quarantine; nil if the line was not kept.
    func quarantine(_ record: QuarantineRecord, in transaction: any StoreTransaction) throws -> Int64? {
        guard let file else { return nil }
        try file.seek(toOffset: 0)
        return try transaction.quarantine(record) {
            let piece = try file.read(upToCount: OversizedLine.pieceBytes) ?? Data()
            return piece.isEmpty ? nil : Array(piece)
        }
    }
}
