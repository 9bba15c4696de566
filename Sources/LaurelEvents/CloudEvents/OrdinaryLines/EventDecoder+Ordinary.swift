// SPDX-License-Identifier: Apache-2.0

import CSimdjson

// Ordinary lines are read in one pass. Their attributes are texts, and `data` is an object of texts, numbers, true,
// false and null. Nothing is escaped, and spaces occur only before keys and values. Each value goes into the row at
// once. Any other line, and any error, is left to the general parser, which starts again at the beginning of the line.
//
// A control character follows the line, such as the line feed in a file. No search continues beyond a control
// character, so no other bound is needed. Every read starts in the line or at that character, and reads at most 16
// bytes.

/// The state that a decoder keeps for ordinary lines.
final class OrdinaryLines {
    let attributes = KnownKeys(AttributeKey(attribute: nil))
    let plans = TypePlans()
    /// The number of the current table. State kept for an earlier table is invalid.
    private(set) var table: UInt32 = 0

    /// The minimum number of readable bytes after a line.
    static let slack = 16

    init() {
        for name in Attributes.Name.allCases {
            Array("\"\(name.key)\":".utf8).withUnsafeBufferPointer {
                _ = attributes.add($0, AttributeKey(attribute: name, limit: name.limit))
            }
        }
    }

    deinit {
        attributes.deallocate()
        plans.deallocate()
    }

    /// Call it before lines are read into a table that may be a new one.
    func begin() { table &+= 1 }
}

extension EventDecoder {
    /// Appends the event of a line to the pending rows.
    /// - Returns: true if the line is ordinary and the event is valid; otherwise no row is added.
    mutating func appendOrdinary(
        _ line: UnsafeBufferPointer<UInt8>,
        _ lines: OrdinaryLines,
        _ table: inout EventTable,
        clock: Int64?
    ) -> Bool {
        let end = line.baseAddress! + line.count
        var event = OrdinaryEvent(line, table: lines.table, lines.attributes.start)
        guard event.at.pointee == UInt8(ascii: "{") else { return false }
        repeat {
            event.at += 1
            OrdinaryEvent.skipSpaces(&event.at)
            guard let key = lines.attributes.key(at: event.at, after: event.key) ?? meetKey(event, lines),
                event.keys & key.pointee.bit == 0
            else { return false }
            event.key = key
            event.keys |= key.pointee.bit
            event.at += key.pointee.size
            OrdinaryEvent.skipSpaces(&event.at)
            guard readValue(&event, lines, &table) else { return false }
        } while event.at.pointee == UInt8(ascii: ",")
        guard event.at.pointee == UInt8(ascii: "}"), event.at + 1 == end else { return false }
        return endOrdinary(&event, &table, clock: clock)
    }

    /// Takes the current attribute's value, and the stretch after it if the line repeats the source's previous line.
    @inline(__always)
    private mutating func readValue(
        _ event: inout OrdinaryEvent,
        _ lines: OrdinaryLines,
        _ table: inout EventTable
    ) -> Bool {
        guard let name = event.key.pointee.meaning.attribute else { return readExtension(&event) }
        if name == .data { return readData(&event, lines, &table) }
        guard event.at.pointee == UInt8(ascii: "\""), let end = OrdinaryEvent.end(ofText: event.at + 1) else {
            return false
        }
        let text = UnsafeBufferPointer(start: event.at + 1, count: end - event.at - 1)
        event.at = end + 1
        guard text.count > 0, text.count <= event.key.pointee.meaning.limit else { return false }
        switch name {
        case .id:
            event.id = text
            readStretch(behind: .id, &event)
        case .source:
            readSource(text, &event, &table)
            readStretch(behind: .source, &event)
        case .type:
            event.plan = lines.plans.plan(of: text) ?? meetType(text, lines)
            guard event.plan != nil else { return false }
            readStretch(behind: .type, &event)
        case .time:
            event.time = text
            readStretch(behind: .time, &event)
        default:
            return readShared(name, text, &event, &table)
        }
        return true
    }

    @inline(__always)
    private mutating func readSource(
        _ text: UnsafeBufferPointer<UInt8>,
        _ event: inout OrdinaryEvent,
        _ table: inout EventTable
    ) {
        let context = contexts.slot(of: text)
        if context.pointee.source == 0 { contexts.use(context) }
        _ = table.intern(text, &context.pointee.source)
        event.context = context
        event.stretches = contexts.madeStretches() + contexts.offset(of: context) * AttributeStretch.kinds
    }

    /// Takes the attributes here if their bytes repeat the source's previous line. Otherwise the attributes that follow
    /// are kept as a new stretch.
    @inline(__always)
    private func readStretch(behind name: Attributes.Name, _ event: inout OrdinaryEvent) {
        event.walk.finish(event.shared)
        guard let stretches = event.stretches else { return }
        let stretch = stretches + AttributeStretch.kind(behind: name)
        event.walk.target = stretch
        event.walk.start = event.at
        event.walk.attributes = 0
        guard stretch.pointee.matches(at: event.at), event.keys & stretch.pointee.attributes == 0 else { return }
        event.at += stretch.pointee.count
        event.keys |= stretch.pointee.attributes
        event.key = stretch.pointee.last!
        event.walk.attributes = stretch.pointee.attributes
        event.shared.add(stretch.pointee.shared)
    }

    /// Takes an attribute that a source's events mostly share.
    private mutating func readShared(
        _ name: Attributes.Name,
        _ text: UnsafeBufferPointer<UInt8>,
        _ event: inout OrdinaryEvent,
        _ table: inout EventTable
    ) -> Bool {
        switch name {
        case .subject: event.subject = text
        case .language: event.language = text
        case .session: event.session = text
        case .timezone: event.timezone = text
        default: guard text.isEqual(to: "1.0") else { return false }
        }
        guard let context = event.context else { return true }
        guard share(&event, context, &table) else { return false }
        if event.walk.target != nil {
            event.walk.attributes |= OrdinaryEvent.bit(name)
            event.walk.end = event.at
            event.walk.last = event.key
        }
        return true
    }

    /// Replaces the texts that were read by indexes, which are mostly those of the source's previous event.
    private mutating func share(
        _ event: inout OrdinaryEvent,
        _ context: UnsafeMutablePointer<RecentContexts.Context>,
        _ table: inout EventTable
    ) -> Bool {
        if event.subject.count > 0, event.shared.subject == 0 {
            event.shared.subject = table.intern(event.subject, &context.pointee.subject)
        }
        if event.session.count > 0, event.shared.session == 0 {
            event.shared.session = table.intern(event.session, &context.pointee.session)
        }
        if event.language.count > 0, event.shared.language == 0 {
            if !table.texts.equals(context.pointee.language, event.language) {
                guard isLanguageTag(event.language) else { return false }
                context.pointee.language = table.intern(text: event.language)
            }
            event.shared.language = context.pointee.language
        }
        if event.timezone.count > 0, event.shared.timezone == 0 {
            if !table.texts.equals(context.pointee.timezone, event.timezone) {
                guard zones.knows(event.timezone) else { return false }
                context.pointee.timezone = table.intern(text: event.timezone)
            }
            event.shared.timezone = context.pointee.timezone
        }
        return true
    }

    @inline(__always)
    private mutating func endOrdinary(
        _ event: inout OrdinaryEvent,
        _ table: inout EventTable,
        clock: Int64?
    ) -> Bool {
        event.walk.finish(event.shared)
        guard let plan = event.plan, event.keys & plan.pointee.attributes == plan.pointee.attributes,
            let context = event.context, share(&event, context, &table), readDataBefore(&event, plan, &table),
            let time = try? Timestamp(parsing: event.time, &date),
            !EventDecoder.isAhead(time, of: clock)
        else { return false }
        if plan.pointee.table != event.table { plan.pointee.bind(to: &table, event.table) }
        var row = EventTable.Row(
            milliseconds: time.milliseconds,
            offset: time.offset.code,
            flags: time.spelling.code | (event.has(.version) ? EventTable.hasVersion : 0)
                | (event.has(.data) ? EventTable.hasData : 0),
            type: plan.pointee.type,
            subject: event.shared.subject,
            source: context.pointee.source,
            identifier: table.identifier(ofLine: event.id)
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
        return true
    }
}

// MARK: New names

extension EventDecoder {
    /// Adds a key that occurs for the first time; nil if it cannot be kept.
    @inline(never)
    private func meetKey(
        _ event: OrdinaryEvent,
        _ lines: OrdinaryLines
    ) -> UnsafeMutablePointer<KnownKey<AttributeKey>>? {
        guard let token = OrdinaryEvent.token(at: event.at) else { return nil }
        let name = UnsafeBufferPointer(rebasing: token[1..<token.count - 2])
        if let strictNames, !strictNames.knows(UnknownName(.attribute, name)) { return nil }
        let key = lines.attributes.add(token, AttributeKey(attribute: nil, isKnown: KnownNames.isAttribute(name)))
        if let key { event.key.pointee.next = key }
        return key
    }

    /// The plan of a type that occurs for the first time; nil if the type cannot have a plan.
    @inline(never)
    private mutating func meetType(
        _ name: UnsafeBufferPointer<UInt8>,
        _ lines: OrdinaryLines
    ) -> UnsafeMutablePointer<TypePlan>? {
        let shape = shapes.index(of: name)
        // Only the general parser checks spans of dates.
        guard shapes.all[shape].type?.span == nil, shape != 0 || isTypeName(name) else { return nil }
        if let strictNames, !strictNames.knows(UnknownName(.type, name)) { return nil }
        return lines.plans.add(TypePlan(name, shape: shape, shapes.all[shape]))
    }

    /// Writes an attribute without a column into `scratch`.
    @inline(never)
    private mutating func readExtension(_ event: inout OrdinaryEvent) -> Bool {
        event.walk.finish(event.shared)
        let end: OrdinaryEvent.Pointer
        if event.at.pointee == UInt8(ascii: "\"") {
            guard let quote = OrdinaryEvent.end(ofText: event.at + 1) else { return false }
            end = quote + 1
        } else {
            guard let scalar = OrdinaryScalar(at: event.at) else { return false }
            end = scalar.end
        }
        if !event.hasExtensions { scratch.removeAll(keepingCapacity: true) }
        scratch.append(event.hasExtensions ? UInt8(ascii: ",") : UInt8(ascii: "{"))
        event.key.pointee.withToken { scratch.append(contentsOf: $0) }
        scratch.append(contentsOf: UnsafeBufferPointer(start: event.at, count: end - event.at))
        event.hasExtensions = true
        if !event.key.pointee.meaning.isKnown { hasMetUnknownName = true }
        event.at = end
        return true
    }
}
