// SPDX-License-Identifier: Apache-2.0

/// The time on the learner's wall clock.
package struct LocalTime: Sendable, Equatable {
    /// Seconds east of UTC.
    package var offset: Int32
    /// The local day: the date of the local time minus the rules' start of day.
    package var day: LocalDay
    /// The hour of the wall clock, 0–23, regardless of the start of day.
    package var hour: Int
    package var minute: Int
    /// The weekday of the wall clock, 1 Monday … 7 Sunday, regardless of the start of day.
    package var weekday: Int
}

/// Computes events' local times from `timezone`, from the offset written in `time`, and from the default time zone.
/// Use one clock per fold, because it caches the latest zones and intervals.
package struct LocalClock: Sendable {
    private var defaultClock: ZoneClock
    private var clocks: ZoneClocks
    /// The start of local days, in milliseconds after midnight.
    package let dayStart: Int64

    /// - Parameters:
    ///   - defaultZone: for times that end in `Z` or `-00:00`.
    ///   - dayStartsAt: minutes after midnight, 0–1439.
    package init(
        defaultZone: TimeZone = .utc,
        dayStartsAt minutes: Int = 0,
        zones database: TimeZoneDatabase = .shared
    ) {
        defaultClock = ZoneClock(defaultZone)
        clocks = ZoneClocks(database)
        dayStart = Int64(minutes) * 60_000
    }

    /// Seconds east of UTC on an event's wall clock.
    ///
    /// - Parameters:
    ///   - offsetCode: ``WrittenOffset/code``.
    ///   - timezone: the event's `timezone`; empty if the event has none. A name that this machine does not know is
    ///     ignored, because another machine may have stored the event.
    @inline(__always)
    package mutating func offsetSeconds(
        at milliseconds: Int64,
        offsetCode: Int16,
        timezone: UnsafeBufferPointer<UInt8>
    ) -> Int32 {
        interval(at: milliseconds, offsetCode: offsetCode, timezone: timezone).offset
    }

    /// The interval around an event in which the same code and zone give the same offset.
    @inline(__always)
    package mutating func interval(
        at milliseconds: Int64,
        offsetCode: Int16,
        timezone: UnsafeBufferPointer<UInt8>
    ) -> ZoneInterval {
        if timezone.count > 0, let interval = clocks.interval(of: timezone, at: milliseconds) { return interval }
        if offsetCode < WrittenOffset.zuluCode {
            return ZoneInterval(start: .min, end: .max, offset: Int32(offsetCode) * 60)
        }
        return defaultClock.interval(at: milliseconds)
    }

    /// True if a zone is known to this machine.
    package mutating func knows(_ timezone: [UInt8]) -> Bool {
        !timezone.isEmpty && timezone.withUnsafeBufferPointer { clocks.knows($0) }
    }

    package func localTime(at milliseconds: Int64, offset: Int32) -> LocalTime {
        let wall = milliseconds + Int64(offset) * 1000
        let date = LocalDay(containing: wall)
        let minute = Int((wall - Int64(date.number) * 86_400_000) / 60_000)
        return LocalTime(
            offset: offset,
            day: LocalDay(containing: wall - dayStart),
            hour: minute / 60,
            minute: minute % 60,
            weekday: date.weekday
        )
    }

    package mutating func localTime(
        at milliseconds: Int64,
        offsetCode: Int16,
        timezone: UnsafeBufferPointer<UInt8>
    ) -> LocalTime {
        localTime(
            at: milliseconds,
            offset: offsetSeconds(at: milliseconds, offsetCode: offsetCode, timezone: timezone)
        )
    }

    package mutating func localTime(of row: Int, in table: borrowing EventTable) -> LocalTime {
        let range = table.texts.range(table.timezone[row])
        return table.texts.bytes.withUnsafeBufferPointer { bytes in
            localTime(
                at: table.milliseconds[row],
                offsetCode: table.offsets[row],
                timezone: UnsafeBufferPointer(rebasing: bytes[range])
            )
        }
    }

    /// The local time of an instant that does not belong to an event, such as the instant of `--at`.
    package mutating func localTime(of timestamp: Timestamp) -> LocalTime {
        localTime(
            at: timestamp.milliseconds,
            offsetCode: timestamp.offset.code,
            timezone: UnsafeBufferPointer(start: nil, count: 0)
        )
    }
}
