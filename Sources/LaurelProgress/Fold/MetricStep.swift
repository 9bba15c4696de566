import LaurelRules

/// Step 3: the metrics, in file order, in every window that something reads.
///
/// A metric reads only metrics above it. So what reads none may come first, whatever its place in the file, and comes to
/// the same in all of the event's tracks.
extension FoldCore {
    /// The metrics that read nothing of the track.
    mutating func updateSharedMetrics(
        _ typePlan: UnsafePointer<TypePlan>,
        _ one: TrackNumbers,
        _ other: TrackNumbers?
    ) {
        let isInSession = event.session != 0
        one.increment(typePlan.pointee.countSlots, isInSession)
        other?.increment(typePlan.pointee.countSlots, isInSession)
        guard !typePlan.pointee.sharedMetrics.isEmpty else { return }
        let frame = scratch.frame(one.numbers)
        var metric = typePlan.pointee.sharedMetrics.baseAddress!
        let end = metric + typePlan.pointee.sharedMetrics.count
        while metric < end {
            let value = metric.pointee.value(frame)
            if !value.isNaN {
                one.update(metric, value, isInSession)
                other?.update(metric, value, isInSession)
            }
            metric += 1
        }
    }

    /// The metrics that read the track's numbers, and those that keep keys, which are the track's own.
    mutating func updateOwnMetrics(
        _ track: inout TrackValues,
        _ typePlan: UnsafePointer<TypePlan>,
        _ frame: Frame
    ) {
        guard !typePlan.pointee.ownMetrics.isEmpty else { return }
        let isInSession = event.session != 0
        let numbers = TrackNumbers(track)
        let isKnown = agreement.holds && !track.isOverall
        for place in typePlan.pointee.ownMetrics.indices {
            let metric = typePlan.pointee.ownMetrics.baseAddress! + place
            if metric.pointee.hasKeys {
                updateKeyed(&track, metric, isInSession, frame)
                continue
            }
            let value = isKnown && metric.pointee.agrees ? agreement.values[place] : metric.pointee.value(frame)
            agreement.values[place] = value
            if !value.isNaN { numbers.update(metric, value, isInSession) }
        }
    }

    private mutating func updateKeyed(
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
        let slots = metric.pointee.slots.all(isInSession)
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
    private mutating func withKey(
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

extension MetricPlan {
    /// What the event adds or puts in place; NaN where it takes no part. For a `run` whether it goes on.
    @inline(__always)
    func value(_ frame: Frame) -> Double {
        if let filter, !filter.isTrue(frame) { return .nan }
        guard let expression else { return 1 }
        let value = expression.number(frame)
        if case .run = aggregate { return value == 1 ? 1 : 0 }
        return value
    }
}

/// A track's numbers, in plain memory.
struct TrackNumbers {
    let numbers: UnsafeMutablePointer<Double>
    private let hasValue: UnsafeMutablePointer<Bool>

    init(_ track: borrowing TrackValues) {
        numbers = track.numbers
        hasValue = track.hasValue
    }

    @inline(__always)
    func increment(_ slots: WindowSlots, _ isInSession: Bool) {
        var slot = slots.start
        let end = slots.end(isInSession)
        while slot < end {
            numbers[slot.pointee] += 1
            slot += 1
        }
    }

    @inline(__always)
    func update(_ metric: UnsafePointer<MetricPlan>, _ value: Double, _ isInSession: Bool) {
        let slots = metric.pointee.slots
        let end = slots.end(isInSession)
        switch metric.pointee.aggregate {
        case .count, .sum: forEach(slots.start, end) { numbers[$0] += value }
        case .run:
            if value == 1 {
                forEach(slots.start, end) { numbers[$0] += 1 }
            } else {
                forEach(slots.start, end) { numbers[$0] = 0 }
            }
        // Adding zero turns −0 into 0.
        case .last: forEach(slots.start, end) { numbers[$0] = value + 0 }
        case .max:
            forEach(slots.start, end) { slot in
                if !hasValue[slot] || value > numbers[slot] { numbers[slot] = value + 0 }
                hasValue[slot] = true
            }
        case .distinct: break
        }
    }

    @inline(__always)
    private func forEach(_ start: UnsafePointer<Int>, _ end: UnsafePointer<Int>, _ body: (Int) -> Void) {
        var slot = start
        while slot < end {
            body(slot.pointee)
            slot += 1
        }
    }
}
