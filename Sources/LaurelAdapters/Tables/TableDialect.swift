// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelWire

/// The way in which a file writes a table: its encoding and its separator.
struct TableDialect: Equatable {
    var encoding: String
    var separator: UInt8

    /// The number of bytes that are examined.
    static let sampleSize = 1 << 16
    /// The separators that are recognised. If several fit equally well, the first counts.
    static let separators = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
    /// The encoding of a text that is not UTF-8. Excel uses it for CSV in Western Europe and America.
    private static let otherEncoding = "WINDOWS-1252"
    private static let utf8 = "UTF-8"
    private static let byteOrderMarks: [(bytes: [UInt8], encoding: String)] = [
        ([0xEF, 0xBB, 0xBF], utf8), ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
    ]

    /// Recognises the dialect by the beginning of a file. A byte order mark wins over the mapping's encoding, because
    /// the same spreadsheet may be saved in another encoding.
    init(_ start: [UInt8], encoding: String? = nil, separator: UInt8? = nil) {
        let marked = TableDialect.byteOrderMarks.first { start.starts(with: $0.bytes) }?.encoding
        self.encoding = marked ?? encoding ?? TableDialect.encoding(ofUnmarked: start)
        self.separator = separator ?? UInt8(ascii: ",")
        guard separator == nil, let sample = text(of: start) else { return }
        let lines = SeparatorLine(sample[...])
        self.separator =
            lines.separator ?? TableDialect.separator(of: sample, isCut: start.count >= TableDialect.sampleSize)
    }

    /// The source's text as UTF-8; nil if iconv does not know the encoding.
    func decoded(_ source: any ByteSource) -> (any ByteSource)? {
        encoding.uppercased() == TableDialect.utf8 ? source : TranscodedSource(source, encoding: encoding)
    }

    /// Converts the sample to UTF-8.
    private func text(of start: [UInt8]) -> [UInt8]? {
        // UTF-8 needs at most three bytes for one byte of other encodings.
        try? decoded(MemorySource(start, name: ""))?.readPrefix(3 * TableDialect.sampleSize)
    }

    private static func encoding(ofUnmarked start: [UInt8]) -> String {
        let pairs = min(start.count, 1 << 10) / 2
        if pairs > 0 {
            // In UTF-16, one of the two bytes of a Latin letter is zero.
            let zeros = (0..<2).map { place in (0..<pairs).count { start[2 * $0 + place] == 0 } }
            if zeros[1] > pairs / 4, zeros[0] == 0 { return "UTF-16LE" }
            if zeros[0] > pairs / 4, zeros[1] == 0 { return "UTF-16BE" }
        }
        // The sample may end within a character of up to four bytes.
        let isText = (0..<4).contains { cut in
            (cut == 0 || start.count >= sampleSize) && String(validating: start.dropLast(cut), as: UTF8.self) != nil
        }
        return isText ? utf8 : otherEncoding
    }

    /// The separator that divides most records into the same number of fields.
    private static func separator(of sample: [UInt8], isCut: Bool) -> UInt8 {
        var best: (separator: UInt8, records: Int, fields: Int)?
        for separator in separators {
            let counts = fieldCounts(of: sample, separator, isCut)
            guard let fields = counts.first, fields > 1 else { continue }
            let records = counts.count { $0 == fields }
            if (records, fields) > (best?.records ?? 0, best?.fields ?? 0) { best = (separator, records, fields) }
        }
        return best?.separator ?? separators[0]
    }

    /// The numbers of fields in the first records. An incomplete record at the end does not count.
    private static func fieldCounts(of sample: [UInt8], _ separator: UInt8, _ isCut: Bool) -> [Int] {
        var reader = InputReader(MemorySource(sample, name: ""), shape: .separated(by: separator))
        var batch = InputBatch()
        var counts: [Int] = []
        while counts.count < 200, (try? reader.next(&batch)) == true {
            for record in batch.records where record.part == .whole {
                counts.append(CSVRecord.fields(of: batch.bytes(of: record), separator: separator)?.count ?? 0)
            }
        }
        if isCut, counts.count > 1 { counts.removeLast() }
        return Array(counts.prefix(200))
    }
}

/// The line `sep=;` with which Excel lets a file name its separator.
struct SeparatorLine {
    /// The named separator; nil if the text does not begin with such a line.
    let separator: UInt8?

    init(_ text: ArraySlice<UInt8>) {
        let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text
        let line = start.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        separator = line.count == 5 && line.starts(with: "sep=".utf8) ? line.last : nil
    }
}
