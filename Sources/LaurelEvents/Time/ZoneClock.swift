// SPDX-License-Identifier: Apache-2.0

/// A zone and the interval used last. Successive events of a learner are usually in the same interval.
package struct ZoneClock: Sendable {
    package let zone: TimeZone
    private var interval = ZoneInterval(start: 0, end: 0, offset: 0)

    package init(_ zone: TimeZone) { self.zone = zone }

    /// The interval with the same offset that contains an instant, in milliseconds since 1970.
    @inline(__always)
    package mutating func interval(at milliseconds: Int64) -> ZoneInterval {
        let second = milliseconds.dividedRoundingDown(by: 1000)
        if second < interval.start || second >= interval.end { interval = zone.interval(holding: second) }
        return interval
    }
}

/// The clocks of recently used zones.
struct ZoneClocks: Sendable {
    private let database: TimeZoneDatabase
    private var clocks: [ZoneClock] = []
    private var last = 0

    init(_ database: TimeZoneDatabase) { self.database = database }

    /// The index of a zone's clock; nil if there is no zone with that name.
    @inline(__always)
    private mutating func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
        if last < clocks.count, clocks[last].zone.nameBytes.withUnsafeBufferPointer({ $0.isEqual(to: name) }) {
            return last
        }
        return search(name)
    }

    private mutating func search(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        for index in clocks.indices
        where clocks[index].zone.nameBytes.withUnsafeBufferPointer({ $0.isEqual(to: name) }) {
            last = index
            return index
        }
        guard let zone = database.zone(named: String(decoding: name, as: UTF8.self)) else { return nil }
        // Few learners use more than about five zones, so the list is searched from the front.
        if clocks.count >= 64 { clocks.removeAll(keepingCapacity: true) }
        clocks.append(ZoneClock(zone))
        last = clocks.count - 1
        return last
    }

    mutating func knows(_ name: UnsafeBufferPointer<UInt8>) -> Bool { index(of: name) != nil }

    mutating func interval(of name: UnsafeBufferPointer<UInt8>, at milliseconds: Int64) -> ZoneInterval? {
        guard let index = index(of: name) else { return nil }
        return clocks[index].interval(at: milliseconds)
    }

    /// The message about a name that is not the name of a zone.
    func refusal(of name: UnsafeBufferPointer<UInt8>) -> String {
        let nearest = database.nearestName(to: String(decoding: name, as: UTF8.self))
        return
            "timezone is \(shown(name)); it must be an IANA time zone, such as Europe/Berlin\(didYouMean(aside: nearest))"
    }
}
