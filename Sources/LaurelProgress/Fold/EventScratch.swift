import LaurelEvents
import LaurelRules

/// The event at hand: what expressions see of it, and the fields that the fold reads itself.
final class EventScratch {
    let numbers: UnsafeMutablePointer<Double>
    let texts: UnsafeMutablePointer<TextSlice>
    private let numberCount: Int
    private let textCount: Int
    private let roles: UnsafeMutablePointer<EventValue>
    /// `roles[i]` is this event's where `stamps[i]` is `stamp`.
    private let stamps: UnsafeMutablePointer<UInt32>
    private var stamp: UInt32 = 0
    /// Texts that stand in no table, kept until the next event: what `session.ended` takes from `session.started`.
    private var borrowed: [UnsafeMutableBufferPointer<UInt8>] = []

    init(plan: FoldPlan) {
        numberCount = plan.eventSlots
        textCount = plan.textSlots
        numbers = .allocate(capacity: max(1, numberCount))
        numbers.initialize(repeating: .nan, count: numberCount)
        texts = .allocate(capacity: max(1, textCount))
        texts.initialize(repeating: TextSlice(), count: textCount)
        roles = .allocate(capacity: FieldRole.allCases.count)
        roles.initialize(repeating: EventValue(field: 0, kind: .null), count: FieldRole.allCases.count)
        stamps = .allocate(capacity: FieldRole.allCases.count)
        stamps.initialize(repeating: 0, count: FieldRole.allCases.count)
    }

    deinit {
        returnBorrowed()
        numbers.deallocate()
        texts.deallocate()
        roles.deallocate()
        stamps.deallocate()
    }

    /// Forgets the event before and takes one row's values.
    func load(
        _ columns: EventColumns, _ row: Int, _ plan: TypePlan, _ targets: UnsafeBufferPointer<FieldTarget>,
        _ table: EventTable
    ) {
        stamp &+= 1
        for load in plan.loads where !load.isText { numbers[load.slot] = load.absent }
        guard !targets.isEmpty else { return }
        for index in Int(columns.valueStarts[row])..<Int(columns.valueStarts[row + 1]) {
            let value = columns.values[index]
            let target = targets[Int(value.field)]
            guard value.kind != .null else { continue }
            if target.role >= 0 {
                roles[Int(target.role)] = value
                stamps[Int(target.role)] = stamp
            }
            guard target.slot >= 0 else { continue }
            if target.isText {
                texts[Int(target.slot)] = value.kind == .text ? slice(columns.text(UInt32(value.payload))) : TextSlice()
            } else {
                numbers[Int(target.slot)] = target.isBoolean ? boolean(value) : EventScratch.number(value, table)
            }
        }
    }

    /// Leaves the slots null for events of other types.
    func unload(_ plan: TypePlan) {
        for load in plan.loads {
            if load.isText { texts[load.slot] = TextSlice() } else { numbers[load.slot] = .nan }
        }
        if !borrowed.isEmpty { returnBorrowed() }
    }

    func slice(_ text: UnsafeBufferPointer<UInt8>) -> TextSlice {
        TextSlice(start: text.baseAddress, count: text.count)
    }

    /// The value of a field, or nil where it is absent or null.
    func value(_ role: FieldRole) -> EventValue? {
        stamps[role.rawValue] == stamp ? roles[role.rawValue] : nil
    }

    /// A text's first byte: what tells the catalogue's one-of texts apart.
    func initial(_ role: FieldRole, _ columns: EventColumns) -> UInt8? {
        guard let value = value(role), value.kind == .text else { return nil }
        return columns.text(UInt32(value.payload)).first
    }

    func bytes(_ role: FieldRole, _ table: EventTable) -> [UInt8]? {
        guard let value = value(role), value.kind == .text else { return nil }
        return Array(table.texts[UInt32(value.payload)])
    }

    func string(_ role: FieldRole, _ table: EventTable) -> String? {
        bytes(role, table).map { String(decoding: $0, as: UTF8.self) }
    }

    func number(_ role: FieldRole, _ table: EventTable) -> Double? {
        guard let value = value(role) else { return nil }
        let number = EventScratch.number(value, table)
        return number.isNaN ? nil : number
    }

    /// The catalogue bounds integers to 2⁵³; whatever lies beyond, from a store of other rules, is cut to Int64.
    func integer(_ role: FieldRole, _ table: EventTable) -> Int64? {
        number(role, table).map { Int64(exactly: $0.rounded(.towardZero)) ?? ($0 < 0 ? .min : .max) }
    }

    /// A slice of a text that no table owns, good until the event is unloaded.
    func borrow(_ text: [UInt8]) -> TextSlice {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, text.count))
        _ = copy.initialize(from: text)
        borrowed.append(copy)
        return TextSlice(start: UnsafePointer(copy.baseAddress!), count: text.count)
    }

    private func returnBorrowed() {
        for text in borrowed { text.deallocate() }
        borrowed.removeAll(keepingCapacity: true)
    }

    private func boolean(_ value: EventValue) -> Double {
        switch value.kind {
        case .yes: 1
        case .no: 0
        default: .nan
        }
    }

    /// The number a value is to expressions; NaN, null, where it is none or not finite.
    @inline(__always)
    static func number(_ value: EventValue, _ table: EventTable) -> Double {
        switch value.kind {
        case .integer: Double(Int64(bitPattern: value.payload))
        case .double: Double(bitPattern: value.payload)
        case .spelled: spelledNumber(value, table)
        default: .nan
        }
    }

    private static func spelledNumber(_ value: EventValue, _ table: EventTable) -> Double {
        let number = Double(table.texts.string(UInt32(value.payload))) ?? .nan
        return number.isFinite ? number : .nan
    }
}
