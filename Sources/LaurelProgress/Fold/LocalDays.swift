// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The local times of events. The previous event's zone, offset and day are valid within a span of time. An event
/// outside that span causes a new look-up.
struct LocalDays {
    private var clock: LocalClock
    private(set) var local: LocalTime
    /// The span in which all members of `local` except hour and minute are valid, in milliseconds since 1970: `from`
    /// inclusive, `until` exclusive. The span is empty before the first look-up.
    private var from = Int64.max
    private var until = Int64.min
    /// The instant at which the local calendar day began, in milliseconds since 1970.
    private var midnight: Int64 = 0
    /// The clock information from which the values were computed.
    private(set) var source = ClockSource(timezone: 0, offsetCode: 0)

    init(clock: LocalClock) {
        self.clock = clock
        local = clock.localTime(at: 0, offset: 0)
    }

    /// Clears the cached zone, because its index is valid only in the previous table. Call this before the rows of
    /// another table.
    mutating func beginTable() {
        from = .max
        until = .min
    }

    /// True if an event has the same local day, offset and zone as ``local``.
    @inline(__always)
    func includes(_ row: Int, _ columns: EventColumns) -> Bool {
        let time = columns.milliseconds[row]
        return time >= from && time < until && columns.timezone[row] == source.timezone
            && columns.offsets[row] == source.offsetCode
    }

    /// The local time at another instant within the span.
    func local(at time: Int64) -> LocalTime {
        var local = local
        let minute = UInt32(truncatingIfNeeded: time - midnight) / 60_000
        local.hour = Int(minute / 60)
        local.minute = Int(minute % 60)
        return local
    }

    /// The local day of another instant, by the same offset.
    func day(of instant: Int64) -> LocalDay { clock.localTime(at: instant, offset: local.offset).day }

    /// Sets ``local`` to an event's local time. Returns true if values other than hour and minute may have changed.
    mutating func move(to row: Int, _ columns: EventColumns) -> Bool {
        if includes(row, columns) {
            local = local(at: columns.milliseconds[row])
            return false
        }
        find(row, columns)
        return true
    }

    private mutating func find(_ row: Int, _ columns: EventColumns) {
        let time = columns.milliseconds[row]
        source = ClockSource(timezone: columns.timezone[row], offsetCode: columns.offsets[row])
        let zone = columns.bytes(source.timezone)
        let interval = clock.interval(at: time, offsetCode: source.offsetCode, timezone: zone)
        local = clock.localTime(at: time, offset: interval.offset)
        let wall = time + Int64(local.offset) * 1000
        midnight = time - wall.remainder(of: millisecondsPerDay)
        let dayStart = clock.dayStart
        let dayBegan = time - (wall - dayStart).remainder(of: millisecondsPerDay)
        from = max(midnight, dayBegan, LocalDays.milliseconds(interval.start))
        until = min(midnight + millisecondsPerDay, dayBegan + millisecondsPerDay, LocalDays.milliseconds(interval.end))
    }

    /// The seconds as milliseconds, clamped to Int64.
    private static func milliseconds(_ seconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : product
    }
}

/// The clock information of an event.
struct ClockSource {
    /// The index of the zone's name in the table's texts; 0 if the event names no zone.
    var timezone: UInt32
    /// The offset written in the event's time: see ``WrittenOffset/code``.
    var offsetCode: Int16

    /// A placeholder for clock information whose table is no longer available.
    static let unavailable = ClockSource(timezone: .max, offsetCode: 0)
}

extension Int64 {
    /// The remainder of floor division, from 0 to divisor − 1.
    fileprivate func remainder(of divisor: Int64) -> Int64 {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
