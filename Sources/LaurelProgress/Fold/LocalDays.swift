// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Events' local times. Zone, offset and day are found anew only where an event leaves the stretch of time in which those
/// of the one before hold.
struct LocalDays {
    private var clock: LocalClock
    private(set) var local: LocalTime
    /// The stretch in which all of `local` but hour and minute holds, in milliseconds since 1970: `from` is inside, `until`
    /// is not. Empty where nothing is known.
    private var from = Int64.max
    private var until = Int64.min
    /// The time when the wall's day began.
    private var midnight: Int64 = 0
    /// What says so.
    private(set) var source = ClockSource(timezone: 0, offsetCode: 0)

    init(clock: LocalClock) {
        self.clock = clock
        local = clock.localTime(at: 0, offset: 0)
    }

    /// Zones are remembered by the index of their name: to be called before rows of another table.
    mutating func beginTable() {
        from = .max
        until = .min
    }

    /// True if an event's local day, offset and zone are those of ``local``.
    @inline(__always)
    func includes(_ row: Int, _ columns: EventColumns) -> Bool {
        let time = columns.milliseconds[row]
        return time >= from && time < until && columns.timezone[row] == source.timezone
            && columns.offsets[row] == source.offsetCode
    }

    /// ``local`` at an instant of the same stretch.
    func local(at time: Int64) -> LocalTime {
        var local = local
        let minute = UInt32(truncatingIfNeeded: time - midnight) / 60_000
        local.hour = Int(minute / 60)
        local.minute = Int(minute % 60)
        return local
    }

    /// The local day of another instant, by the clock that shows ``local``.
    func day(of instant: Int64) -> LocalDay { clock.localTime(at: instant, offset: local.offset).day }

    /// Sets ``local`` to an event's local time; returns whether more than hour and minute may have changed.
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

    /// Of seconds; what lies beyond Int64 is cut to it.
    private static func milliseconds(_ seconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (seconds < 0 ? .min : .max) : product
    }
}

/// What an event says of the clock on the wall.
struct ClockSource {
    /// Index of the zone's name in the table's texts; 0 where the event names none.
    var timezone: UInt32
    /// ``WrittenOffset/code``.
    var offsetCode: Int16

    /// Stands where the table is not at hand any more.
    static let elsewhere = ClockSource(timezone: .max, offsetCode: 0)
}

extension Int64 {
    /// What floor division leaves: 0 ..< divisor.
    fileprivate func remainder(of divisor: Int64) -> Int64 {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
