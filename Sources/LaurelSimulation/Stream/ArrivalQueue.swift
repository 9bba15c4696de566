// SPDX-License-Identifier: Apache-2.0

/// Events that were simulated but not written yet. They are released in order of arrival.
///
/// The queue contains the events of about one and a half days. With a `Delivery`, it also contains delayed events.
struct ArrivalQueue {
    /// The simulated delivery; nil if every event arrives immediately.
    private let delivery: Delivery?
    /// The end of the simulation, in milliseconds since it began.
    private let end: Int64
    private var pending = ContiguousArray<EventRecord>()
    /// The time before which all events were released, in milliseconds since the simulation began.
    private var released: Int64 = 0
    private var keys = ContiguousArray<UInt64>()
    private var spare = ContiguousArray<UInt64>()

    init(delivery: Delivery?, end: Int64, expecting count: Int) {
        self.delivery = delivery
        self.end = end
        pending.reserveCapacity(count)
    }

    var isEmpty: Bool { pending.isEmpty }

    mutating func append(_ record: EventRecord) {
        guard record.time < end else { return }
        pending.append(record)
        if let delivery, delivery.isRepeated(record) {
            pending.append(record)
            pending[pending.count - 1].traits.insert(.copy)
        }
    }

    /// Releases the events that arrive before `horizon`. Events of the same millisecond stay in the order in which
    /// they were appended.
    ///
    /// - Parameter horizon: at most a day after the previous horizon.
    /// - Complexity: O(events in the queue).
    mutating func release(before horizon: Int64, _ write: (borrowing EventRecord) throws -> Void) rethrows {
        let kept = sortKeys(before: horizon)
        try pending.withUnsafeBufferPointer { records in
            for key in keys {
                try write(records[Int(key & 0xFFFF_FFFF)])
            }
        }
        pending.withUnsafeMutableBufferPointer { records in
            for (position, origin) in kept.enumerated() {
                records[position] = records[Int(origin)]
            }
        }
        pending.removeLast(pending.count - kept.count)
        released = horizon
    }

    /// Stores in `keys` the indexes (in `pending`) of the events that are due, ordered by time. Returns the indexes of
    /// the other events.
    private mutating func sortKeys(before horizon: Int64) -> ContiguousArray<UInt32> {
        precondition(horizon - released <= Clock.day && pending.count <= Int(UInt32.max))
        var kept = ContiguousArray<UInt32>()
        keys.removeAll(keepingCapacity: true)
        for position in pending.indices {
            let arrival = delivery?.arrival(of: pending[position]) ?? pending[position].time
            if arrival < horizon {
                keys.append(UInt64(max(0, arrival - released)) << 32 | UInt64(position))
            } else {
                kept.append(UInt32(position))
            }
        }
        sortByTime()
        return kept
    }

    /// Sorts by the time within a day, with a radix sort of 27 bits.
    private mutating func sortByTime() {
        spare.removeAll(keepingCapacity: true)
        spare.append(contentsOf: repeatElement(0, count: keys.count))
        for shift in [32, 41, 50] as [UInt64] {
            var starts = ContiguousArray(repeating: 0, count: 513)
            for key in keys {
                starts[Int(key >> shift & 511) + 1] += 1
            }
            for digit in 1...512 {
                starts[digit] += starts[digit - 1]
            }
            for key in keys {
                let digit = Int(key >> shift & 511)
                spare[starts[digit]] = key
                starts[digit] += 1
            }
            swap(&keys, &spare)
        }
    }
}
