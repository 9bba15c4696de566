// SPDX-License-Identifier: Apache-2.0

/// Records of an input, as ranges of a buffer that the next batch reuses.
package struct InputBatch: Sendable {
    package fileprivate(set) var records: [InputRecord] = []
    /// The bytes. The array may be longer than the bytes that were read.
    fileprivate var storage: [UInt8] = []

    package init() {}

    /// Calls `body` with the bytes of the batch's records. They are valid during the call.
    package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        try storage.withUnsafeBufferPointer(body)
    }

    package func bytes(of record: InputRecord) -> ArraySlice<UInt8> { storage[record.range] }

    /// The size of the memory, in bytes.
    package var byteCount: Int { storage.count }

    /// Frees the memory after the last record, if that is most of the memory.
    package mutating func trim() {
        let end = records.last?.range.upperBound ?? 0
        if end < storage.count / 2 { storage = Array(storage[0..<end]) }
    }

    /// Adds the records of another batch of the same input.
    package mutating func append(_ other: InputBatch) {
        let start = storage.count
        storage += other.storage
        for record in other.records {
            let range = start + record.range.lowerBound..<start + record.range.upperBound
            records.append(InputRecord(line: record.line, range: range, part: record.part))
        }
    }

    /// Adds a whole record that did not come from the reader.
    package mutating func append(_ bytes: some Collection<UInt8>, line: Int) {
        let start = storage.count
        storage.append(contentsOf: bytes)
        records.append(InputRecord(line: line, range: start..<storage.count, part: .whole))
    }
}

/// Reads an input in batches of records. Memory is bounded, however large the input and its records are.
///
/// Gzip and zstd are unpacked. Records are numbered by the line they start on; blank lines are skipped. If the input is
/// cut off or damaged, ``next(_:)`` throws after the last complete record.
package struct InputReader {
    private let source: any ByteSource
    private var splitter: RecordSplitter
    private let chunk: Int
    /// The beginning of a record whose end has not been read.
    private var rest: [UInt8] = []
    private var failure: InputError?
    private var isAtEnd = false

    /// - Parameters:
    ///   - source: the bytes, compressed or not.
    ///   - chunk: the approximate number of bytes in a batch.
    package init(_ source: any ByteSource, shape: InputShape = .events, chunk: Int = 1 << 20) {
        self.source = UnpackingSource(source)
        self.chunk = max(1, chunk)
        splitter = RecordSplitter(shape: shape)
    }

    /// - Parameter path: `-` is standard input.
    package init(path: String, shape: InputShape = .events) throws(InputError) {
        self.init(try FileSource(path: path), shape: shape)
    }

    package var name: String { source.name }
    /// The unpacked bytes that ``next(_:)`` has not read yet, for callers that read them in another way.
    package var bytes: any ByteSource { source }
    /// The number of input bytes read so far. For a compressed input, compressed bytes are counted.
    package var consumedBytes: Int64 { source.consumed }

    /// Reads the next records. Returns false if there are no more. Record ranges are valid until the batch is filled
    /// again.
    package mutating func next(_ batch: inout InputBatch) throws(InputError) -> Bool {
        batch.records.removeAll(keepingCapacity: true)
        while batch.records.isEmpty {
            if isAtEnd {
                if let failure { throw failure }
                return false
            }
            fill(&batch)
        }
        return true
    }

    private mutating func fill(_ batch: inout InputBatch) {
        let kept = rest.count
        if batch.storage.count < kept + chunk {
            // The old content is not needed any more, because `rest` contains the remaining bytes.
            batch.storage = InputReader.room(for: kept + chunk)
        }
        batch.storage.replaceSubrange(0..<kept, with: rest)
        let filled = kept + read(into: &batch.storage, from: kept)
        // A record that an error cut off is dropped. Ingesting the whole file again stores the record.
        let isLast = isAtEnd && failure == nil
        let done = batch.storage.withUnsafeBufferPointer {
            splitter.split(UnsafeBufferPointer(rebasing: $0[0..<filled]), isLast: isLast)
        }
        batch.records = splitter.records
        rest.removeAll(keepingCapacity: true)
        rest.append(contentsOf: batch.storage[done..<filled])
        if isLast, splitter.isInList {
            failure = InputError(
                code: .unfinishedList,
                file: name,
                byte: consumedBytes,
                message: "the list of events does not end: ] is missing at byte \(consumedBytes)"
            )
        }
    }

    /// An array for bytes that are written before they are read. Filling it with zeros would take time.
    private static func room(for count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { $1 = count }
    }

    /// Reads a chunk and returns the number of bytes. An error is kept until the records before it are delivered.
    private mutating func read(into storage: inout [UInt8], from start: Int) -> Int {
        let (source, chunk) = (source, chunk)
        var problem: InputError?
        let count = storage.withUnsafeMutableBufferPointer { buffer in
            do throws(InputError) {
                return try source.read(into: UnsafeMutableBufferPointer(rebasing: buffer[start..<start + chunk]))
            } catch {
                problem = error
                return 0
            }
        }
        failure = problem
        isAtEnd = count == 0
        return count
    }
}
