import LaurelRules

/// Step 3: the metrics, in file order, in every window that something reads.
extension FoldCore {
    func updateMetrics(_ track: inout TrackValues, _ typePlan: UnsafePointer<TypePlan>, _ frame: Frame) {
        let isInSession = track.currentSession != nil
        // What does not depend on the track came to the same in the overall one, which was just before.
        let isKnown = !track.isOverall && !typePlan.pointee.borrows
        for place in typePlan.pointee.metrics.indices {
            let metric = typePlan.pointee.metrics.baseAddress! + place
            if metric.pointee.key != nil {
                updateKeyed(&track, metric, isInSession, frame)
                continue
            }
            if !isKnown || metric.pointee.readsTrack { metricValues.compute(place, metric, frame) }
            guard metricValues.counts[place] else { continue }
            let slots = isInSession ? metric.pointee.slots : metric.pointee.slotsOutsideSession
            update(track, slots, metric.pointee.aggregate, metricValues.values[place])
        }
    }

    @inline(__always)
    private func update(
        _ track: borrowing TrackValues,
        _ slots: UnsafeBufferPointer<Int>,
        _ aggregate: Metric.Aggregate,
        _ value: Double
    ) {
        let numbers = track.numbers
        switch aggregate {
        case .count, .sum:
            for slot in slots { numbers[slot] += value }
        case .run:
            for slot in slots { numbers[slot] = value == 1 ? numbers[slot] + 1 : 0 }
        // Adding zero turns −0 into 0.
        case .last:
            for slot in slots { numbers[slot] = value + 0 }
        case .max:
            for slot in slots {
                if !track.hasValue[slot] || value > numbers[slot] { numbers[slot] = value + 0 }
                track.hasValue[slot] = true
            }
        case .distinct: break
        }
    }

    private func updateKeyed(
        _ track: inout TrackValues,
        _ metric: UnsafePointer<MetricPlan>,
        _ isInSession: Bool,
        _ frame: Frame
    ) {
        if let filter = metric.pointee.filter, !filter.isTrue(frame) { return }
        let isDistinct = if case .distinct = metric.pointee.aggregate { true } else { false }
        var amount = 1.0
        if case .sum = metric.pointee.aggregate { amount = metric.pointee.expression?.number(frame) ?? .nan }
        guard !amount.isNaN, let key = metric.pointee.key else { return }
        let slots = isInSession ? metric.pointee.slots : metric.pointee.slotsOutsideSession
        withKey(key, isText: metric.pointee.keyIsText, frame) { key in
            for slot in slots {
                let (window, place) = (slot / track.layout.stride, metric.pointee.keyedPlace)
                if isDistinct {
                    if track.keyed[window][place].insert(key) { track.numbers[slot] += 1 }
                } else {
                    track.numbers[slot] = track.keyed[window][place]
                        .add(amount, to: key, largest: track.numbers[slot])
                }
            }
        }
    }

    /// Calls `body` with an expression's value as bytes, unless it is null.
    private func withKey(
        _ key: Code,
        isText: Bool,
        _ frame: Frame,
        _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        if isText {
            let text = key.text(frame)
            guard let start = text.start else { return }
            body(UnsafeBufferPointer(start: start, count: text.count))
        } else {
            let number = key.number(frame)
            guard !number.isNaN else { return }
            withUnsafeBytes(of: (number + 0).bitPattern.littleEndian) { body($0.assumingMemoryBound(to: UInt8.self)) }
        }
    }
}

/// What the metrics of the event's type came to, by their place in ``TypePlan/metrics``.
struct MetricValues: ~Copyable {
    let values: UnsafeMutablePointer<Double>
    /// Whether the event takes part in the metric.
    let counts: UnsafeMutablePointer<Bool>

    init(count: Int) {
        values = .allocate(capacity: max(1, count))
        counts = .allocate(capacity: max(1, count))
    }

    deinit {
        values.deallocate()
        counts.deallocate()
    }

    @inline(__always)
    func compute(_ place: Int, _ metric: UnsafePointer<MetricPlan>, _ frame: Frame) {
        counts[place] = false
        if let filter = metric.pointee.filter, !filter.isTrue(frame) { return }
        switch metric.pointee.aggregate {
        case .count:
            values[place] = 1
            counts[place] = true
        case .run:
            values[place] = metric.pointee.expression?.number(frame) ?? .nan
            counts[place] = true
        default:
            let value = metric.pointee.expression?.number(frame) ?? .nan
            values[place] = value
            counts[place] = !value.isNaN
        }
    }
}
