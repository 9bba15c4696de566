// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Appends events durably to an NDJSON file. `laurel ingest` can read the file repeatedly.
///
/// If the process is killed during a delivery, events may be written twice. The engine ignores the duplicates. An
/// incomplete last line is removed before the next batch. The file is locked (`flock`) while it is written. A program
/// that moves the file away should lock it, too.
public struct FileDelivery: Delivery {
    private let path: String

    /// Creates a delivery to a file.
    /// - Parameter url: the file to which events are appended.
    public init(_ url: URL) { path = url.path }

    public func deliver(_ batch: Batch) async throws -> Receipt {
        // The file is written on a separate thread, because the disk or another lock holder may block it.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try append(batch) }) }
        }
        return .accepted
    }

    private func append(_ batch: Batch) throws {
        let file = try DurableFile(path, .append)
        guard file.lock(wait: true) else { throw DurableFile.failure(path, "cannot be locked") }
        defer { file.unlock() }
        try removeUnfinishedLine(file)
        try file.append(Array(batch.ndjson))
        try file.synchronize()
        // The file's name must also be durable, because this process or a process that was killed may have created the
        // file.
        try FileNames.synchronize(folder: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    private func removeUnfinishedLine(_ file: DurableFile) throws {
        let size = try file.size
        var end = size
        while end > 0 {
            let start = max(0, end - 4096)
            let piece = try file.read(at: start, count: end - start)
            if let newline = piece.lastIndex(of: UInt8(ascii: "\n")) {
                end = start + newline + 1
                break
            }
            end = start
        }
        if end < size { try file.truncate(to: end) }
    }
}
