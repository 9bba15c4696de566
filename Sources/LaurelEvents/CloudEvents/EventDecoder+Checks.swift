// SPDX-License-Identifier: Apache-2.0

import CEventJSON

// The checks of an event, and the code that appends a valid event to the columns. The reader of ordinary lines and
// the general reader both use them.

// MARK: Attributes

extension EventDecoder {
    /// Checks all of an event except the values of its data. The order of the checks decides the message.
    /// - Returns: the event's time.
    @inline(__always)
    mutating func check(_ event: inout RawEvent, _ table: inout EventTable, clock: Int64?) throws(Fault) -> Timestamp {
        try require(.id, of: &event)
        try require(.source, of: &event)
        guard event.has(.type) else { throw .missing(.type) }
        guard let plan = event.plan else { throw .invalid(.type) }
        if event.valid & RawEvent.bit(.subject) == 0 { try require(.subject, of: &event) }
        guard event.has(.time) else { throw .missing(.time) }
        guard let time = try? Timestamp(parsing: event[.time], &date) else { throw .invalid(.time) }
        if let clock, EventDecoder.isAhead(time, of: clock) { throw .future(clock) }
        if event.isUnchecked(.version), !event[.version].isEqual(to: "1.0") { throw .invalid(.version) }
        let others = RawEvent.bit(.language) | RawEvent.bit(.session) | RawEvent.bit(.timezone)
        if event.attributes & ~event.valid & others != 0 { try checkContext(&event, &table) }
        let missing = plan.pointee.attributes & ~event.attributes
        if missing != 0 { throw .missing(missing & RawEvent.bit(.language) != 0 ? .language : .session) }
        guard event.dataLength <= limits[.data] else { throw .invalid(.data) }
        return time
    }

    @inline(__always)
    private func require(_ name: Attributes.Name, of event: inout RawEvent) throws(Fault) {
        guard event.has(name) else { throw .missing(name) }
        try checkLength(name, of: &event)
    }

    @inline(__always)
    private func checkLength(_ name: Attributes.Name, of event: inout RawEvent) throws(Fault) {
        let count = event[name].count
        guard count > 0, count <= limits[name] else { throw .invalid(name) }
    }

    /// True for a time too far ahead of the ingest clock.
    @inline(__always)
    private static func isAhead(_ time: Timestamp, of clock: Int64) -> Bool {
        let (limit, isBeyondAll) = clock.addingReportingOverflow(Limits.ahead)
        return !isBeyondAll && time.milliseconds > limit
    }

    /// Checks the language, the session and the time zone. A language or time zone is not checked again if the source's
    /// previous event had the same.
    @inline(never)
    private mutating func checkContext(_ event: inout RawEvent, _ table: inout EventTable) throws(Fault) {
        let context = event.context!
        if event.isUnchecked(.language) {
            try checkLength(.language, of: &event)
            if table.texts.equals(context.pointee.language, event[.language]) {
                event.shared.language = context.pointee.language
            } else if !isLanguageTag(event[.language]) {
                throw .invalid(.language)
            }
        }
        if event.isUnchecked(.session) { try checkLength(.session, of: &event) }
        if event.isUnchecked(.timezone) {
            try checkLength(.timezone, of: &event)
            if table.texts.equals(context.pointee.timezone, event[.timezone]) {
                event.shared.timezone = context.pointee.timezone
            } else if !zones.knows(event[.timezone]) {
                throw .invalid(.timezone)
            }
        }
    }
}

// MARK: Data

extension EventDecoder {
    /// Checks a text by its field's rule.
    /// - Parameter rules: the set to which the rule's bit is added.
    /// - Returns: nil if the rule does not allow the value.
    @inline(__always)
    mutating func value(
        text: RawEvent.Text,
        of key: FieldKey,
        _ rules: inout UInt64,
        _ table: inout EventTable
    ) -> EventValue? {
        if let rule = key.pointee.meaning.rule {
            rules |= key.pointee.meaning.ruleBit
            if rule.check == .oneOf {
                guard let option = option(text, key, &table) else { return nil }
                return EventValue(field: key.pointee.meaning.field, kind: .text, payload: UInt64(option))
            }
            guard rule.check == .text || rule.allows(text) else { return nil }
        }
        let index = text.isEmpty ? 0 : table.intern(text: text)
        return EventValue(field: key.pointee.meaning.field, kind: .text, payload: UInt64(index))
    }

    /// Checks a value other than a text by its field's rule.
    /// - Parameter rules: the set to which the rule's bit is added if the value is not null.
    /// - Returns: nil if the rule does not allow the value.
    @inline(__always)
    mutating func value(
        other raw: RawValue,
        of key: FieldKey,
        _ rules: inout UInt64,
        _ table: inout EventTable
    ) -> EventValue? {
        if raw.kind == .integer, let rule = key.pointee.meaning.rule {
            guard rule.allows(integer: Int64(bitPattern: raw.payload)) else { return nil }
            rules |= key.pointee.meaning.ruleBit
            return EventValue(field: key.pointee.meaning.field, kind: .integer, payload: raw.payload)
        }
        return value(rare: raw, of: key, &rules, &table)
    }

    /// Checks a value that is not a text and usually not an integer.
    @inline(never)
    private mutating func value(
        rare raw: RawValue,
        of key: FieldKey,
        _ rules: inout UInt64,
        _ table: inout EventTable
    ) -> EventValue? {
        let field = key.pointee.meaning.field
        if let rule = key.pointee.meaning.rule, raw.kind != .null {
            let meaning = key.pointee.meaning
            guard rule.allows(raw, of: shapes.all[meaning.shape].fields[meaning.ruleIndex]) else { return nil }
            rules |= key.pointee.meaning.ruleBit
        }
        switch raw.kind {
        case .null: return EventValue(field: field, kind: .null)
        case .no: return EventValue(field: field, kind: .no)
        case .yes: return EventValue(field: field, kind: .yes)
        case .integer: return EventValue(field: field, kind: .integer, payload: raw.payload)
        case .double: return EventValue(field: field, kind: .double, payload: raw.payload)
        case .spelled: return EventValue(field: field, kind: .spelled, payload: UInt64(table.intern(text: raw.text)))
        default: return EventValue(field: field, kind: .json, payload: UInt64(table.intern(text: raw.text)))
        }
    }

    /// The index of one of the allowed texts; nil if the text is not allowed.
    @inline(__always)
    private func option(_ text: RawEvent.Text, _ key: FieldKey, _ table: inout EventTable) -> UInt32? {
        guard !text.isEmpty else { return nil }
        let slot = PlannedField.slot(of: text)
        let recent = key.pointee.meaning.options[slot]
        if table.texts.equals(recent, text) { return recent }
        let (shape, rule) = (key.pointee.meaning.shape, key.pointee.meaning.ruleIndex)
        guard shapes.all[shape].allows(text, byRule: rule) else { return nil }
        key.pointee.meaning.options[slot] = table.intern(text: text)
        return key.pointee.meaning.options[slot]
    }

    /// Checks the data as a whole: required fields, the span of two dates, and names in a strict ingest. Each value was
    /// checked when it was read.
    @inline(__always)
    mutating func checkFields(
        of event: inout RawEvent,
        _ plan: Plan,
        _ values: UnsafePointer<EventValue>,
        _ table: inout EventTable
    ) throws(Fault) {
        let missing = plan.pointee.fields & ~event.rules
        if missing != 0 { throw .missingField(missing.trailingZeroBitCount) }
        if plan.pointee.hasSpan {
            let values = UnsafeBufferPointer(start: values, count: event.valueCount)
            if spanProblem(of: values, plan, table) != nil { throw .span }
        }
        if event.hasForbiddenName || plan.pointee.isForbidden { throw .forbiddenName }
    }

    /// The problem with a span whose two dates are valid, for messages.
    @inline(never)
    func spanProblem(of values: UnsafeBufferPointer<EventValue>, _ plan: Plan, _ table: EventTable) -> String? {
        guard let span = shapes.all[plan.pointee.shape].type?.span else { return nil }
        func day(_ name: String) -> LocalDay? {
            values.first { $0.kind == .text && table.fields.equals($0.field, name) }
                .flatMap { table.texts[UInt32($0.payload)].withUnsafeBufferPointer { LocalDay(parsing: $0) } }
        }
        guard let first = day(span.from), let last = day(span.through) else { return nil }
        return span.problem(from: first, through: last)
    }
}

// MARK: Columns

extension EventDecoder {
    /// Appends a valid event to the pending rows. The values are in the pending row already.
    @inline(__always)
    mutating func end(_ event: inout RawEvent, _ plan: Plan, at time: Timestamp, _ table: inout EventTable) {
        let context = event.context!
        if context.pointee.source == 0 { contexts.use(context) }
        if plan.pointee.table != event.table { plan.pointee.bind(to: &table, event.table) }
        if event.attributes & ~event.valid & RawEvent.sharedByMost != 0 { EventDecoder.share(&event, &table) }
        var row = EventTable.Row(
            milliseconds: time.milliseconds,
            offset: time.offset.code,
            flags: time.spelling.code | (event.has(.version) ? EventTable.hasVersion : 0)
                | (event.has(.data) ? EventTable.hasData : 0),
            type: plan.pointee.type,
            subject: event.shared.subject,
            source: table.intern(event[.source], &context.pointee.source),
            identifier: event.isIDWithinLine ? table.identifier(ofLine: event[.id]) : table.identifier(event[.id])
        )
        row.language = event.shared.language
        row.session = event.shared.session
        row.timezone = event.shared.timezone
        if event.hasExtensions {
            scratch.append(UInt8(ascii: "}"))
            row.extensions = scratch.withUnsafeBufferPointer { table.intern(text: $0) }
        }
        if plan.pointee.shape == 0 { hasMetUnknownName = true }
        pending.end(row, values: event.valueCount)
    }

    /// Interns the texts that have no index yet. Usually they equal those of the source's previous event.
    @inline(never)
    private static func share(_ event: inout RawEvent, _ table: inout EventTable) {
        let context = event.context!
        if event.isUnchecked(.subject) {
            event.shared.subject = table.intern(event[.subject], &context.pointee.subject)
        }
        if event.isUnchecked(.session) {
            event.shared.session = table.intern(event[.session], &context.pointee.session)
        }
        if event.isUnchecked(.language), event.shared.language == 0 {
            context.pointee.language = table.intern(text: event[.language])
            event.shared.language = context.pointee.language
        }
        if event.isUnchecked(.timezone), event.shared.timezone == 0 {
            context.pointee.timezone = table.intern(text: event[.timezone])
            event.shared.timezone = context.pointee.timezone
        }
    }

    /// Writes an attribute without a column.
    /// - Parameters:
    ///   - key: the key as written, with its quotes.
    ///   - isKnown: true if the catalogue names the attribute.
    mutating func append(
        extension key: some Collection<UInt8>,
        _ value: RawEvent.Text,
        isKnown: Bool,
        to event: inout RawEvent
    ) {
        if !event.hasExtensions { scratch.removeAll(keepingCapacity: true) }
        scratch.append(event.hasExtensions ? UInt8(ascii: ",") : UInt8(ascii: "{"))
        scratch.append(contentsOf: key)
        scratch.append(UInt8(ascii: ":"))
        scratch.append(contentsOf: value)
        event.hasExtensions = true
        if !isKnown { hasMetUnknownName = true }
    }
}
