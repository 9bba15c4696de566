// SPDX-License-Identifier: Apache-2.0

import CSimdjson

/// Reads CloudEvents 1.0 (JSON, one event per line) into a table, and checks every part.
///
/// A decoder keeps memory and look-ups between events. Create one decoder and use it for all events, on one thread at a
/// time.
package struct EventDecoder {
    package enum Result {
        case ok
        case refused(Refusal)
    }

    private let parser = JSONParser()
    let pending = PendingRows()
    let contexts = RecentContexts()
    var date = RecentDate()
    var shapes = TypeShapes.fresh
    var zones: ZoneClocks
    var scratch: [UInt8] = []
    /// The state for ordinary lines, created when records are first decoded together.
    private var ordinary: OrdinaryLines?
    /// The names allowed in a strict ingest; nil if all names are allowed.
    package var strictNames: KnownNames? {
        didSet {
            // The names in `ordinary` were checked against the previous setting.
            if oldValue != nil || strictNames != nil { ordinary = nil }
        }
    }

    /// True if an event of the latest batch had a type or an attribute that the catalogue does not know. Events decoded
    /// singly count until the next batch.
    package internal(set) var hasMetUnknownName = false

    /// True if an event so far may have had an unknown field in a type of the catalogue. Unknown fields are noticed at
    /// their first look-up, not at each event, so the check is free.
    package var mayHaveMetUnknownField: Bool {
        shapes.all.indices.dropFirst().contains { shapes.all[$0].hasMetUnknownField }
    }

    package init(zones database: TimeZoneDatabase = .shared) {
        zones = ZoneClocks(database)
    }

    /// Decodes one event and appends it to the table. A refused event leaves the table unchanged, except for interned
    /// texts.
    ///
    /// - Parameters:
    ///   - line: one JSON object; nothing behind it is read.
    ///   - clock: the ingest clock in milliseconds; an event more than 24 hours ahead of it is refused. nil if events may have
    ///     any time.
    /// - Complexity: O(length).
    package mutating func decode(
        line: UnsafeBufferPointer<UInt8>,
        into table: inout EventTable,
        clock: Int64?
    ) -> Result {
        contexts.forget()
        let refusal = take(line: line, &table, clock)
        pending.move(to: &table)
        return refusal.map(Result.refused) ?? .ok
    }

    /// Decodes the whole records and appends them to the table. Partial records are skipped.
    /// - Parameters:
    ///   - bytes: the bytes that the records' ranges refer to.
    ///   - clock: as for ``decode(line:into:clock:)``.
    ///   - taken: called with the index of each record that became a row.
    ///   - refused: called with the index of each other whole record, and the reason.
    package mutating func decode(
        _ records: [InputRecord],
        of bytes: UnsafeBufferPointer<UInt8>,
        into table: inout EventTable,
        clock: Int64?,
        taken: (Int) -> Void,
        refused: (Int, Refusal) -> Void
    ) {
        contexts.forget()
        hasMetUnknownName = false
        let ordinary = self.ordinary ?? OrdinaryLines()
        self.ordinary = ordinary
        ordinary.begin()
        // The number of successive lines that were not ordinary. After two such lines the next ones are mostly not
        // ordinary either, so only one in 16 is tried.
        var unusual = 0
        for (index, record) in records.enumerated() where record.part == .whole {
            if pending.isFull { pending.move(to: &table) }
            let line = UnsafeBufferPointer(rebasing: bytes[record.range])
            if unusual <= 1 || unusual % 16 == 0, EventDecoder.isEnded(record.range, bytes),
                appendOrdinary(line, ordinary, &table, clock: clock)
            {
                unusual = 0
                taken(index)
            } else {
                unusual += 1
                if let refusal = take(line: line, &table, clock) { refused(index, refusal) } else { taken(index) }
            }
        }
        pending.move(to: &table)
    }

    /// True if a line is not too long, a control character follows it, and enough bytes follow to search for its end
    /// without a bound.
    @inline(__always)
    private static func isEnded(_ line: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count - line.upperBound >= OrdinaryLines.slack && bytes[line.upperBound] < 0x20
            && 1...Limits.event ~= line.count
    }

    /// Appends a record's event to the pending rows.
    /// - Returns: the refusal; nil if the event was appended.
    private mutating func take(
        line: UnsafeBufferPointer<UInt8>,
        _ table: inout EventTable,
        _ clock: Int64?
    ) -> Refusal? {
        guard line.count <= Limits.event else {
            return Refusal(code: .tooLong, message: "the event has \(line.count) bytes; it may have 1 MiB at most")
        }
        parser.parse(line)
        do throws(Refusal) {
            if let problem = parser.problem(in: line) { throw Refusal(code: problem.code, message: problem.message) }
            let attributes = Attributes(parser)
            if attributes.hasExtensions, let plain = try EventDecoder.plain(attributes) {
                // The result has no `data_base64`, so the recursion ends here.
                return plain.withUnsafeBufferPointer { take(line: $0, &table, clock) }
            }
            try appendParsed(&table, clock)
            return nil
        } catch {
            return named(error)
        }
    }

    /// Checks the event that was parsed, and appends it.
    private mutating func appendParsed(_ table: inout EventTable, _ clock: Int64?) throws(Refusal) {
        let attributes = Attributes(parser)
        let id = try attributes.required(.id, atMost: Limits.id)
        let source = try attributes.required(.source, atMost: Limits.source)
        let type = try attributes.required(.type, atMost: Limits.type)
        let shape = try self.shape(of: type)
        let subject = try attributes.required(.subject, atMost: Limits.subject)
        let time = try EventDecoder.time(of: attributes, &date, clock: clock)
        let version = try EventDecoder.hasVersion(attributes)
        let recent = contexts.slot(of: source)
        let context = try self.context(of: attributes, shape, recent, &table)
        let hasData = try EventDecoder.readData(of: attributes, parser, &shapes.all[shape], &table, pending)

        if recent.pointee.source == 0 { contexts.use(recent) }
        var row = EventTable.Row(
            milliseconds: time.milliseconds,
            offset: time.offset.code,
            flags: time.spelling.code | (version ? EventTable.hasVersion : 0) | (hasData ? EventTable.hasData : 0),
            type: shapes.all[shape].index(of: type, &table),
            subject: table.intern(subject, &recent.pointee.subject),
            source: table.intern(source, &recent.pointee.source),
            identifier: table.identifier(id)
        )
        if let language = context.language {
            if !context.knowsLanguage { recent.pointee.language = table.intern(text: language) }
            row.language = recent.pointee.language
        }
        if let session = context.session { row.session = table.intern(session, &recent.pointee.session) }
        if let timezone = context.timezone {
            if !context.knowsTimezone { recent.pointee.timezone = table.intern(text: timezone) }
            row.timezone = recent.pointee.timezone
        }
        if attributes.hasExtensions { row.extensions = readExtensions(of: attributes, &table) }
        if let strictNames { try strictNames.check(attributes, type, parser.data) }
        pending.end(row)
    }

    private mutating func readExtensions(of attributes: Attributes, _ table: inout EventTable) -> UInt32 {
        attributes.writeExtensions(to: &scratch)
        hasMetUnknownName = hasMetUnknownName || attributes.extensions.contains { !KnownNames.isAttribute($0.keyBytes) }
        return scratch.withUnsafeBufferPointer { table.intern(text: $0) }
    }

    /// A refusal with the attributes that could be read before the error.
    private func named(_ refusal: Refusal) -> Refusal {
        var refusal = refusal
        guard refusal.code != .tooLong else { return refusal }
        for member in parser.members where member.type == .string && member.text_length <= 1024 {
            let text = String(decoding: member.textBytes, as: UTF8.self)
            switch member.name {
            case .id: refusal.id = text
            case .source: refusal.source = text
            case .subject: refusal.subject = text
            default: break
            }
        }
        return refusal
    }
}

// MARK: Attributes

extension EventDecoder {
    /// The type's index in `shapes`.
    private mutating func shape(of type: UnsafeBufferPointer<UInt8>) throws(Refusal) -> Int {
        let shape = shapes.index(of: type)
        if shape != 0 { return shape }
        hasMetUnknownName = true
        guard isTypeName(type) else {
            throw Refusal(
                code: .invalidAttribute,
                message: "type is \(shown(type)); it must be lower-case words and digits joined by . _ or -, "
                    + "such as line.spoken"
            )
        }
        return shape
    }

    private static func time(
        of attributes: Attributes,
        _ date: inout RecentDate,
        clock: Int64?
    ) throws(Refusal) -> Timestamp {
        guard let member = attributes[.time] else {
            throw Refusal(code: .missing, message: "time is missing; every event needs it")
        }
        guard member.pointee.type == .string else {
            throw Refusal(
                code: .invalidAttribute,
                message:
                    "time is \(shown(member.pointee)); it must be an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"
            )
        }
        let time: Timestamp
        do throws(Timestamp.ParseError) {
            time = try Timestamp(parsing: member.pointee.textBytes, &date)
        } catch {
            throw Refusal(code: .invalidAttribute, message: "time is \(shown(member.pointee)): \(error.description)")
        }
        if let clock, isAhead(time, of: clock) {
            throw Refusal(
                code: .future,
                message:
                    "time is \(shown(member.pointee)), more than 24 hours ahead of the clock (\(Timestamp.utc(clock)))"
            )
        }
        return time
    }

    /// True for a time too far ahead of the ingest clock.
    @inline(__always)
    static func isAhead(_ time: Timestamp, of clock: Int64?) -> Bool {
        guard let clock else { return false }
        let (limit, isBeyondAll) = clock.addingReportingOverflow(Limits.ahead)
        return !isBeyondAll && time.milliseconds > limit
    }

    private static func hasVersion(_ attributes: Attributes) throws(Refusal) -> Bool {
        guard let member = attributes[.version] else { return false }
        guard member.pointee.type == .string, member.pointee.textBytes.isEqual(to: "1.0") else {
            throw Refusal(
                code: .invalidAttribute,
                message: "specversion is \(shown(member.pointee)); it must be “1.0” where present"
            )
        }
        return true
    }

    /// Optional attributes. A language or time zone is known if the source's previous event had the same.
    private struct Context {
        var language: UnsafeBufferPointer<UInt8>?
        var session: UnsafeBufferPointer<UInt8>?
        var timezone: UnsafeBufferPointer<UInt8>?
        var knowsLanguage = false
        var knowsTimezone = false
    }

    /// - Parameter recent: the source's context, whose language and time zone were checked before.
    @inline(__always)
    private mutating func context(
        of attributes: Attributes,
        _ shape: Int,
        _ recent: UnsafePointer<RecentContexts.Context>,
        _ table: inout EventTable
    ) throws(Refusal) -> Context {
        var context = Context()
        context.language = try attributes.optional(.language, atMost: Limits.language)
        if let language = context.language {
            context.knowsLanguage = table.texts.equals(recent.pointee.language, language)
            guard context.knowsLanguage || isLanguageTag(language) else {
                throw Refusal(
                    code: .invalidAttribute,
                    message: "language is \(shown(language)); it must be a BCP 47 tag, such as es or pt-BR"
                )
            }
        }
        context.session = try attributes.optional(.session, atMost: Limits.session)
        context.timezone = try attributes.optional(.timezone, atMost: 1024)
        if let timezone = context.timezone {
            context.knowsTimezone = table.texts.equals(recent.pointee.timezone, timezone)
            guard context.knowsTimezone || zones.knows(timezone) else {
                throw Refusal(code: .invalidAttribute, message: zones.refusal(of: timezone))
            }
        }
        if context.language == nil, shapes.all[shape].needsLanguage {
            throw Refusal(code: .missing, message: "language is missing; \(shapes.all[shape].type!.name) needs it")
        }
        if context.session == nil, shapes.all[shape].needsSession {
            throw Refusal(code: .missing, message: "session is missing; \(shapes.all[shape].type!.name) needs it")
        }
        return context
    }
}

// MARK: Data

extension EventDecoder {
    /// Checks the event's data and appends its values to the row under construction.
    /// - Returns: true if the event has data.
    private static func readData(
        of attributes: Attributes,
        _ parser: JSONParser,
        _ shape: inout TypeShape,
        _ table: inout EventTable,
        _ pending: PendingRows
    ) throws(Refusal) -> Bool {
        let member = attributes[.data]
        if let member { try checkIsObject(member, parser) }
        let fields = parser.data
        pending.beginRow(valuesAtMost: fields.count)
        var seen: UInt64 = 0
        for index in fields.indices {
            let field = fields.baseAddress! + index
            let slot = shape.slot(for: field, &table)
            if slot.rule >= 0, field.pointee.type != .null {
                let rule = Int(slot.rule)
                guard shape.allows(field, by: rule) else {
                    throw EventDecoder.refusal(of: field.pointee, shape.type!.fields[rule])
                }
                if field.pointee.type == .array {
                    try EventDecoder.checkNumbers(field.pointee, shape.type!.fields[rule])
                }
                seen |= 1 &<< UInt64(truncatingIfNeeded: rule)
            }
            pending.append(EventDecoder.value(field, slot.field, &table))
        }
        let missing = shape.required & ~seen
        if missing != 0 {
            let name = shape.type!.fields[missing.trailingZeroBitCount].name
            throw Refusal(code: .missing, message: "data.\(name) is missing; \(shape.type!.name) needs it")
        }
        if let span = shape.type?.span { try check(span, fields) }
        return member != nil
    }

    @inline(__always)
    private static func checkIsObject(_ data: UnsafePointer<JSONMember>, _ parser: JSONParser) throws(Refusal) {
        guard data.pointee.type == .object else {
            throw Refusal(code: .invalidAttribute, message: "data is \(shown(data.pointee)); it must be an object")
        }
        let length = Int(parser.result.pointee.data_length)
        guard length <= Limits.data else {
            throw Refusal(
                code: .invalidAttribute,
                message: "data has \(length) bytes; it may have \(Limits.data) at most (64 KiB)"
            )
        }
    }

    @inline(__always)
    private static func value(
        _ field: UnsafePointer<JSONMember>,
        _ index: UInt32,
        _ table: inout EventTable
    ) -> EventValue {
        switch field.pointee.type {
        case .null: EventValue(field: index, kind: .null)
        case .no: EventValue(field: index, kind: .no)
        case .yes: EventValue(field: index, kind: .yes)
        case .integer: EventValue(field: index, kind: .integer, payload: field.pointee.payload)
        case .double: EventValue(field: index, kind: .double, payload: field.pointee.payload)
        case .spelled: EventValue(field: index, kind: .spelled, payload: text(field, &table))
        case .string:
            EventValue(field: index, kind: .text, payload: field.pointee.text_length == 0 ? 0 : text(field, &table))
        case .array, .object: EventValue(field: index, kind: .json, payload: text(field, &table))
        }
    }

    @inline(__always)
    private static func text(_ field: UnsafePointer<JSONMember>, _ table: inout EventTable) -> UInt64 {
        UInt64(table.intern(text: field.pointee.textBytes))
    }
}
