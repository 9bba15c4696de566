// SPDX-License-Identifier: Apache-2.0

/// Writes events as CloudEvents, one JSON object per line.
struct EventWriter: ~Copyable {
    private let usesUUIDs: Bool
    private let seed: UInt64
    private let zones = TextTable(Zone.all.map(\.name))
    private let languages = TextTable(Language.tags)
    private let offsets: [Int64]
    private let suffixes: TextTable
    /// The dates as text, beginning with the day before the first day.
    private let dates: TextTable
    let data = DataTables()
    var buffer = LineBuffer(capacity: 1 << 18)
    private(set) var count = 0

    init(seed: UInt64, usesUUIDs: Bool, firstDay: Int, days: Int) {
        self.seed = seed
        self.usesUUIDs = usesUUIDs
        offsets = Zone.all.map { Int64($0.offset) * Clock.minute }
        suffixes = TextTable(Zone.all.map(Self.offsetText))
        dates = TextTable((-1...days + 2).map { CalendarDay.text(daysSince1970: firstDay + $0) })
    }

    /// An offset such as `+05:45`.
    private static func offsetText(_ zone: Zone) -> String {
        let minutes = abs(zone.offset)
        func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(zone.offset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    }

    mutating func write(_ event: EventRecord) {
        count += 1
        buffer.put(#"{"specversion":"1.0","id":""#)
        put(eventNumber: event.number, of: event, by: event.device)
        buffer.put(#"","source":""#)
        put(sourceOf: event, by: event.device)
        buffer.put(#"","type":""#)
        buffer.put(event.happening.type)
        buffer.put(#"","subject":""#)
        put(learner: event.learner)
        put(timeOf: event)
        if event.language != Language.none {
            buffer.put(#","language":""#)
            buffer.put(Int(event.language), of: languages)
            buffer.put(byte: UInt8(ascii: "\""))
        }
        if event.session != .none {
            buffer.put(#","session":""#)
            put(event.session)
            buffer.put(byte: UInt8(ascii: "\""))
        }
        putData(of: event)
        buffer.put("}\n")
    }

    mutating func put(learner number: UInt32) {
        buffer.put("learner-")
        if number < 10_000 {
            buffer.put(number: number, digits: 4)
        } else {
            buffer.put(number: number)
        }
    }

    mutating func put(sourceOf event: EventRecord, by device: Device) {
        if device == .server {
            buffer.put("bab-server/")
            return put(learner: event.learner)
        }
        buffer.put(event.traits.contains(.android) ? "bab-android/" : "bab-ios/")
        put(learner: event.learner)
        buffer.put(device == .tablet ? "/tablet" : "/phone")
    }

    /// Writes the id of the event with a number.
    /// - Parameter event: any event of the same learner.
    mutating func put(eventNumber number: UInt32, of event: EventRecord, by device: Device) {
        guard usesUUIDs else {
            buffer.put(byte: UInt8(ascii: "e"))
            return buffer.put(number: number)
        }
        let sender = scrambled(seed ^ scrambled(device.number(of: event.learner)))
        let high = scrambled(sender ^ UInt64(number))
        buffer.put(uuid: high, scrambled(high &+ 0x9E37_79B9_7F4A_7C15))
    }

    /// Appends a date. Days are counted from the first day of the simulation.
    mutating func put(day: Int) {
        buffer.put(day + 1, of: dates)
    }

    private mutating func put(timeOf event: EventRecord) {
        let zone = Int(event.zone)
        let writesOffset = event.traits.contains(.writesOffset)
        let clock = event.time + (writesOffset ? offsets[zone] : 0) + Clock.day
        let day = clock / Clock.day
        var rest = UInt32(truncatingIfNeeded: clock - day * Clock.day)
        buffer.put(#"","time":""#)
        buffer.put(Int(day), of: dates)
        buffer.put(byte: UInt8(ascii: "T"))
        buffer.put(number: rest / 3_600_000, digits: 2)
        rest %= 3_600_000
        buffer.put(byte: UInt8(ascii: ":"))
        buffer.put(number: rest / 60_000, digits: 2)
        rest %= 60_000
        buffer.put(byte: UInt8(ascii: ":"))
        buffer.put(number: rest / 1000, digits: 2)
        buffer.put(byte: UInt8(ascii: "."))
        buffer.put(number: rest % 1000, digits: 3)
        if writesOffset {
            buffer.put(zone, of: suffixes)
            buffer.put(byte: UInt8(ascii: "\""))
        } else {
            buffer.put(#"Z","timezone":""#)
            buffer.put(zone, of: zones)
            buffer.put(byte: UInt8(ascii: "\""))
        }
    }

    /// Appends the id of a session, such as `learner-0001-p12`.
    private mutating func put(_ session: SessionReference) {
        put(learner: session.owner)
        switch session.origin {
        case .phone: buffer.put("-p")
        case .tablet: buffer.put("-t")
        case .game: buffer.put("-g")
        }
        buffer.put(number: session.number)
    }
}
