// SPDX-License-Identifier: Apache-2.0

/// Decides when an event arrives at the engine. Simulates problems of delivery: devices that are offline for hours or
/// days, events that overtake each other, and events that are sent twice. The app's server is never offline.
///
/// All decisions depend only on the event and the seed, so the set of events is the same with and without disorder.
struct Delivery {
    let seed: UInt64

    /// A period in milliseconds. In each such period, a device is offline at most once.
    private static let span = 8 * Clock.day

    func isRepeated(_ record: EventRecord) -> Bool {
        chance(of: record, 1) % 100 == 0
    }

    func arrival(of record: EventRecord) -> Int64 {
        let first = firstArrival(of: record)
        guard record.traits.contains(.copy) else { return first }
        let word = chance(of: record, 2)
        let delay: Int64 =
            switch word % 10 {
            case 0..<6: Clock.minute
            case 6..<9: Clock.day
            default: 21 * Clock.day
            }
        return first + Int64(word >> 8) % delay
    }

    private func firstArrival(of record: EventRecord) -> Int64 {
        if record.device == .server { return record.time }
        if let online = endOfOutage(record) { return online }
        let tenMinutes = UInt64(record.time / (10 * Clock.minute))
        guard scrambled(device(of: record) ^ scrambled(tenMinutes)) % 8 == 0 else { return record.time }
        return record.time + Int64(chance(of: record, 3) % UInt64(90 * Clock.second))
    }

    /// The time when the device was online again; nil if the device was online at the time of the event.
    private func endOfOutage(_ record: EventRecord) -> Int64? {
        let spanNumber = record.time / Self.span
        let word = scrambled(device(of: record) &+ UInt64(spanNumber))
        guard word % 100 < 20 else { return nil }
        let start = spanNumber * Self.span + Int64(word >> 8 & 0xFFFF) * (Self.span / 2) >> 16
        let isLong = word >> 24 & 3 == 0
        let longest = isLong ? Self.span / 2 : 18 * Clock.hour
        let end = start + 2 * Clock.hour + Int64(word >> 32 & 0xFFFF) * (longest - 2 * Clock.hour) >> 16
        return (start..<end).contains(record.time) ? end : nil
    }

    private func device(of record: EventRecord) -> UInt64 {
        scrambled(seed ^ scrambled(record.device.number(of: record.learner)))
    }

    private func chance(of record: EventRecord, _ purpose: UInt64) -> UInt64 {
        scrambled(device(of: record) ^ (UInt64(record.number) << 8 | purpose))
    }
}
