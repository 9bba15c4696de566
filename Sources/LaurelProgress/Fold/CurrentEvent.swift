// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// The current event: the values that expressions read, and the fields that the fold itself reads.
struct CurrentEvent: ~Copyable {
    /// The event's numbers, in the frame of the track that is being folded.
    private(set) var numbers: UnsafeMutablePointer<Double>
    let texts: UnsafeMutablePointer<TextSlice>
    private let layout: StepLayout
    /// The memory for the text of `local.date`.
    private let date: UnsafeMutablePointer<UInt8>
    /// The maximum length of a date in bytes: a year may have five digits and a sign.
    private static let longestDate = 12
    /// The event's values and shape.
    private var values: UnsafePointer<EventValue>
    private var shape: UnsafePointer<ShapePlan>?
    /// Texts that are in no event table: the fields of `session.started` that its `session.ended` lacks. They are
    /// valid until the next event is loaded.
    private var borrowed: [[UInt8]] = []

    init(plan: VersionPlan) {
        layout = plan.steps.layout
        // A placeholder until ``begin(in:)``.
        numbers = UnsafeMutablePointer(bitPattern: MemoryLayout<Double>.alignment)!
        texts = .allocate(capacity: max(1, plan.steps.textCount))
        plan.steps.initialize(texts: texts)
        date = .allocate(capacity: CurrentEvent.longestDate)
        date.initialize(repeating: 0, count: CurrentEvent.longestDate)
        values = UnsafePointer(bitPattern: MemoryLayout<EventValue>.alignment)!
    }

    deinit {
        date.deallocate()
        texts.deallocate()
    }

    /// Replaces the values of the previous event with the values of a row's event.
    @inline(__always)
    mutating func load(_ columns: EventColumns, _ row: Int, _ shape: UnsafePointer<ShapePlan>) {
        if !borrowed.isEmpty { borrowed.removeAll(keepingCapacity: true) }
        self.shape = shape
        values = columns.values + Int(columns.valueStarts[row])
        shape.pointee.absentNumbers.forEachPointer { numbers[$0.pointee.slot] = $0.pointee.absent }
        shape.pointee.absentTexts.forEachPointer { texts[$0.pointee.slot] = TextSlice() }
        shape.pointee.loads.forEachPointer { load in
            let (value, slot) = (values + load.pointee.value, load.pointee.field.slot)
            // Pattern matching, because `==` on an enumeration of another module compiles to a function call.
            if case .number = load.pointee.field.type, case .integer = value.pointee.kind {
                numbers[slot] = Double(Int64(bitPattern: value.pointee.payload))
            } else if case .number = load.pointee.field.type, case .double = value.pointee.kind {
                numbers[slot] = Double(bitPattern: value.pointee.payload)
            } else {
                take(value, load.pointee.field, columns)
            }
        }
    }

    @inline(never)
    private mutating func take(_ value: UnsafePointer<EventValue>, _ field: ReadField, _ columns: EventColumns) {
        let isNull = if case .null = value.pointee.kind { true } else { false }
        switch field.type {
        case .text: texts[field.slot] = CurrentEvent.text(value.pointee, columns).map(CurrentEvent.slice) ?? TextSlice()
        case .boolean: numbers[field.slot] = isNull ? field.absent : CurrentEvent.boolean(value.pointee)
        default: numbers[field.slot] = isNull ? field.absent : CurrentEvent.number(value.pointee, columns)
        }
    }

    /// Prepares for another learner, in the frame of the learner's first track.
    mutating func begin(in track: UnsafeMutablePointer<TrackValues>) {
        numbers = track.pointee.numbers + layout.eventNumbers
        numbers.update(repeating: .nan, count: layout.ownNumbers - layout.eventNumbers)
        texts.update(repeating: TextSlice(), count: layout.textRegisters)
    }

    /// Copies the event's values into another track's frame.
    mutating func see(_ track: UnsafeMutablePointer<TrackValues>) {
        let other = track.pointee.numbers + layout.eventNumbers
        other.update(from: numbers, count: layout.ownNumbers - layout.eventNumbers)
        numbers = other
    }

    /// Returns to the previous track. Called after ``see(_:)``.
    mutating func `return`(to track: UnsafeMutablePointer<TrackValues>) {
        numbers = track.pointee.numbers + layout.eventNumbers
    }

    /// The memory that steps work on.
    var memory: StepMemory { StepMemory(numbers: numbers - layout.eventNumbers, texts: texts) }

    /// The values of the event and of a track, in the form that expressions read.
    func frame(_ track: UnsafePointer<Double>) -> Frame { Frame(track: track, event: numbers, texts: texts) }

    static func slice(_ text: UnsafeBufferPointer<UInt8>) -> TextSlice {
        TextSlice(start: text.baseAddress, count: text.count)
    }

    /// Stores a text that is in no event table. The result is valid until the next event is loaded.
    mutating func borrow(_ text: [UInt8]) -> TextSlice {
        borrowed.append(text)
        return TextSlice(start: text.addressWhileAlive, count: text.count)
    }

    /// Makes a day readable by expressions, as text. The text is valid until the next call.
    @inline(never)
    mutating func publish(date day: LocalDay, slot: Int) {
        var count = 0
        for byte in day.description.utf8.prefix(CurrentEvent.longestDate) {
            date[count] = byte
            count += 1
        }
        texts[slot] = TextSlice(start: UnsafePointer(date), count: count)
    }

}

/// The fields that the fold itself reads.
extension CurrentEvent {
    /// The value of a field; nil if the field is absent or null.
    @inline(__always)
    func value(_ role: FieldRole) -> EventValue? {
        guard let index = shape?.pointee.index(of: role) else { return nil }
        if case .null = values[index].kind { return nil }
        return values[index]
    }

    /// The values that are stored with the learner.
    var learnerLoads: UnsafeBufferPointer<ReadValue> { shape?.pointee.learnerLoads ?? .init(start: nil, count: 0) }

    /// A value that is stored with the learner; nil if it is null, or of another type than the field.
    func learnerValue(_ load: ReadValue, _ columns: EventColumns) -> LearnerFieldValue? {
        let value = values[load.value]
        switch load.field.type {
        case .text: return CurrentEvent.text(value, columns).map { .text(Array($0)) }
        case .boolean:
            let boolean = CurrentEvent.boolean(value)
            return boolean.isNaN ? nil : .number(boolean)
        case .number, .null:
            return CurrentEvent.finite(value, columns).map { .number($0) }
        }
    }

    /// The bytes of a field; nil if the field is not text.
    @inline(__always)
    func text(_ role: FieldRole, _ columns: EventColumns) -> UnsafeBufferPointer<UInt8>? {
        value(role).flatMap { CurrentEvent.text($0, columns) }
    }

    @inline(__always)
    static func text(_ value: EventValue, _ columns: EventColumns) -> UnsafeBufferPointer<UInt8>? {
        if case .text = value.kind { columns.bytes(UInt32(truncatingIfNeeded: value.payload)) } else { nil }
    }

    /// The bytes of a field of another event; nil if the field is not text.
    func text(
        _ role: FieldRole,
        of shape: UnsafePointer<ShapePlan>,
        _ columns: EventColumns,
        _ row: Int
    ) -> UnsafeBufferPointer<UInt8>? {
        shape.pointee.index(of: role).flatMap {
            CurrentEvent.text(columns.values[Int(columns.valueStarts[row]) + $0], columns)
        }
    }

    func bytes(_ role: FieldRole, _ columns: EventColumns) -> [UInt8]? { text(role, columns).map { Array($0) } }

    func string(_ role: FieldRole, _ columns: EventColumns) -> String? {
        text(role, columns).map { String(decoding: $0, as: UTF8.self) }
    }

    func flag(_ role: FieldRole) -> Bool? {
        switch value(role)?.kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    func number(_ role: FieldRole, _ columns: EventColumns) -> Double? {
        value(role).flatMap { CurrentEvent.finite($0, columns) }
    }

    /// The value of a field as an integer. The catalogue limits integers to 2⁵³. A larger value, stored under other
    /// rules, is clamped to Int64.
    @inline(__always)
    func integer(_ role: FieldRole, _ columns: EventColumns) -> Int64? {
        if let value = value(role), case .integer = value.kind {
            let whole = Int64(bitPattern: value.payload)
            if whole.magnitude <= 1 << 53 { return whole }
        }
        return truncated(role, columns)
    }

    /// A separate function, because the call copies the whole event.
    @inline(never)
    private func truncated(_ role: FieldRole, _ columns: EventColumns) -> Int64? {
        number(role, columns).map { Int64(exactly: $0.rounded(.towardZero)) ?? ($0 < 0 ? .min : .max) }
    }

    private static func boolean(_ value: EventValue) -> Double {
        switch value.kind {
        case .yes: 1
        case .no: 0
        default: .nan
        }
    }

    /// The value as a number for expressions. If the value is not a finite number, the result is NaN, which stands for
    /// null.
    @inline(__always)
    static func number(_ value: EventValue, _ columns: EventColumns) -> Double {
        switch value.kind {
        case .integer: Double(Int64(bitPattern: value.payload))
        case .double: Double(bitPattern: value.payload)
        case .spelled: spelledNumber(columns.bytes(UInt32(truncatingIfNeeded: value.payload)))
        default: .nan
        }
    }

    /// The value as a number; nil if it is not a finite number.
    static func finite(_ value: EventValue, _ columns: EventColumns) -> Double? {
        let number = number(value, columns)
        return number.isNaN ? nil : number
    }

    private static func spelledNumber(_ text: UnsafeBufferPointer<UInt8>) -> Double {
        let number = Double(String(decoding: text, as: UTF8.self)) ?? .nan
        return number.isFinite ? number : .nan
    }
}

extension UnsafeBufferPointer {
    /// Like `forEach`, but compiled to faster code for short loops.
    @inline(__always)
    fileprivate func forEachPointer(_ body: (UnsafePointer<Element>) -> Void) {
        guard var element = baseAddress else { return }
        let end = element + count
        while element < end {
            body(element)
            element += 1
        }
    }
}
