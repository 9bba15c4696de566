// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The review logs of the FSRS project, as CSV. A header names the columns, which may be in any order: `card_id`,
/// `review_time` (RFC 3339 or epoch milliseconds) and `review_rating` (1 again … 4 easy). `review_duration`
/// (milliseconds) and other columns are optional.
///
/// Each row becomes a `review.graded` event. Other columns become fields of its `data`.
struct FSRSReviewLog: Adapter {
    static let kind = AdapterKind(
        "fsrs-csv",
        "FSRS review logs: CSV with card_id, review_time, review_rating and maybe review_duration.",
        example: "laurel ingest --format fsrs-csv --subject ana --language es --timezone Europe/Madrid revlog.csv",
        needs: [.subject],
        takes: [.subject, .language, .timezone, .source],
        shape: .csv,
        make: { FSRSReviewLog(options: $0) }
    )

    private let options: AdapterOptions
    private var occurrences = Occurrences()

    let kinds: [String] = []

    init(options: AdapterOptions) {
        self.options = options
    }

    mutating func read(
        _ input: inout InputReader,
        path: String?,
        emit: (AdaptedRecord) throws -> Void
    ) throws -> [LeftOut] {
        var batch = InputBatch()
        var columns: Columns?
        while try input.next(&batch) {
            for record in batch.records {
                let bytes = batch.bytes(of: record)
                guard let header = columns else {
                    columns = try Columns(header: bytes)
                    continue
                }
                switch record.part {
                case .whole:
                    let outcome = convert(bytes, header)
                    try emit(AdaptedRecord(line: record.line, original: bytes, outcome: outcome))
                case .begin:
                    let refusal = Refusal(code: .tooLong, message: "the row is longer than 1 MiB (a quote too many?)")
                    try emit(AdaptedRecord(line: record.line, original: bytes, outcome: .refused(refusal)))
                case .piece, .end: break
                }
            }
        }
        guard columns != nil else { throw AdapterError(message: "the file is empty; a header line is missing") }
        return []
    }

    private mutating func convert(_ bytes: ArraySlice<UInt8>, _ columns: Columns) -> AdaptedRecord.Outcome {
        do throws(Refusal) {
            return .event(try event(of: bytes, columns))
        } catch {
            return .refused(error)
        }
    }

    private mutating func event(of bytes: ArraySlice<UInt8>, _ columns: Columns) throws(Refusal) -> [UInt8] {
        func refused(_ message: String) -> Refusal { Refusal(code: .invalidRecord, message: message) }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw refused("the row is not UTF-8") }
        guard let fields = CSVRecord.fields(of: bytes) else {
            throw refused("the row has a quote too few or too many")
        }
        guard fields.count == columns.names.count else {
            throw refused("the row has \(fields.count) columns; the header has \(columns.names.count)")
        }
        let card = fields[columns.card]
        guard !card.isEmpty else { throw refused("card_id is empty") }
        let grades = ["again", "hard", "good", "easy"]
        guard let rating = decimal(fields[columns.rating]), 1...4 ~= rating, fields[columns.rating].count == 1 else {
            throw refused(
                "review_rating is \(shown(fields[columns.rating])); it must be 1 (again), 2 (hard), 3 (good) or 4 (easy)"
            )
        }
        let time = try self.time(fields[columns.time])
        let occurrence = occurrences.count(card, time.milliseconds)
        var data: [(String, JSONTree)] = [
            ("word", .string(card)), ("grade", .string(Array(grades[rating - 1].utf8))),
        ]
        if let column = columns.duration, !fields[column].isEmpty {
            guard let duration = JSONTree(validated: fields[column]), duration.isNumber else {
                throw refused("review_duration is \(shown(fields[column])); it must be a number of milliseconds")
            }
            data.append(("durationMs", duration))
        }
        for column in columns.others where !fields[column].isEmpty {
            data.append((columns.names[column], .string(fields[column])))
        }
        return json(id: "\(String(decoding: card, as: UTF8.self))-\(occurrence)-\(time.milliseconds)", time, data)
    }

    private func time(_ text: [UInt8]) throws(Refusal) -> Timestamp {
        if !text.isEmpty, text.count <= 15, let milliseconds = decimal(text) {
            guard Timestamp.range.contains(Int64(milliseconds)) else {
                throw Refusal(code: .invalidRecord, message: "review_time is \(shown(text)): beyond the year 9999")
            }
            return Timestamp(milliseconds: Int64(milliseconds))
        }
        do throws(Timestamp.ParseError) {
            var time = try text.withUnsafeBufferPointer { (bytes) throws(Timestamp.ParseError) in
                try Timestamp(parsing: bytes)
            }
            // Exporters write times in UTC. If the options give the learner's time zone, the local day follows from
            // that zone.
            if options.timezone != nil, time.offset == .minutes(0) { time.offset = .zulu }
            return time
        } catch {
            throw Refusal(
                code: .invalidRecord,
                message: "review_time is \(shown(text)): \(error.description), or milliseconds since 1970"
            )
        }
    }

    private func json(id: String, _ time: Timestamp, _ data: [(String, JSONTree)]) -> [UInt8] {
        var members: [(key: [UInt8], value: JSONTree)] = []
        func put(_ name: String, _ text: String?) {
            if let text { members.append((Array(name.utf8), .string(Array(text.utf8)))) }
        }
        put("specversion", "1.0")
        put("id", id)
        put("source", options.source ?? "fsrs-csv")
        put("type", "review.graded")
        put("subject", options.subject)
        put("time", time.description)
        put("language", options.language)
        put("timezone", options.timezone)
        members.append((Array("data".utf8), .object(data.map { (Array($0.0.utf8), $0.1) })))
        var output: [UInt8] = []
        JSONTree.object(members).write(to: &output)
        return output
    }
}

/// The indexes of the columns in a row.
private struct Columns {
    let names: [String]
    let card, time, rating: Int
    let duration: Int?
    /// The indexes of the columns for which the catalogue has no field.
    let others: [Int]

    init(header: ArraySlice<UInt8>) throws(AdapterError) {
        let names = (CSVRecord.fields(of: header) ?? []).map { field in
            String(decoding: field.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
        }
        func column(_ name: String) throws(AdapterError) -> Int {
            if let index = names.firstIndex(of: name) { return index }
            throw AdapterError(
                message:
                    "the header has no column \(name) (it has \(names.prefix(12).joined(separator: ", "))); "
                    + "FSRS review logs name card_id, review_time and review_rating"
            )
        }
        (card, time, rating) = (try column("card_id"), try column("review_time"), try column("review_rating"))
        duration = names.firstIndex(of: "review_duration")
        guard Set(names).count == names.count else {
            throw AdapterError(message: "the header names a column twice")
        }
        let known = [card, time, rating, duration]
        others = names.indices.filter { !known.contains($0) }
        self.names = names
    }
}

/// Counts the reviews that have the same card and the same time, so that each review gets a different id.
private struct Occurrences {
    private struct Key: Hashable {
        var card: UInt32
        var milliseconds: Int64
    }

    private var cards = TextTable()
    private var counts: [Key: Int] = [:]

    mutating func count(_ card: [UInt8], _ milliseconds: Int64) -> Int {
        let key = Key(card: card.withUnsafeBufferPointer { cards.intern($0) }, milliseconds: milliseconds)
        counts[key, default: 0] += 1
        return counts[key]!
    }
}
