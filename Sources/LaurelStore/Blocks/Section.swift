// SPDX-License-Identifier: Apache-2.0

/// A column of a block under construction. `directory` describes the encoding, `body` contains the bytes.
struct SectionWriter {
    var directory: [UInt8] = []
    var body: [UInt8] = []
    let compressor: Compressor

    init(_ compressor: Compressor) { self.compressor = compressor }

    /// Appends bytes as one frame. If all bytes are equal, the frame has only one of them. Otherwise the bytes are
    /// compressed, or plain if that is not larger. The reader must know the number of bytes.
    mutating func append(frame raw: UnsafeRawBufferPointer) {
        guard let first = raw.first else { return }
        if raw.allSatisfy({ $0 == first }) {
            directory.append(0)
            directory.append(first)
            return
        }
        let stored = compressor.compress(raw)
        directory.append(varint: stored.count)
        body.append(contentsOf: stored)
    }

    mutating func append(_ section: SectionWriter) {
        directory.append(contentsOf: section.directory)
        body.append(contentsOf: section.body)
    }

    /// Appends a section that a reader may skip.
    mutating func append(skippable section: SectionWriter) {
        directory.append(varint: section.directory.count)
        directory.append(varint: section.body.count)
        append(section)
    }

    var size: Int { directory.count + body.count }
}
