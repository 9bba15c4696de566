import LaurelRules

/// Step 3: the metrics, in file order, in every window that something reads.
extension Fold {
    func updateMetrics(_ track: TrackState, _ typePlan: TypePlan, _ frame: Frame) {
        for index in typePlan.metrics {
            let metric = plan.metrics[index]
            if let filter = metric.filter, !filter.isTrue(frame) { continue }
            if let key = metric.key {
                updateKeyed(track, metric, key, index, frame)
                continue
            }
            let value = metric.aggregate == .count ? 1 : metric.expression?.number(frame) ?? .nan
            if value.isNaN, metric.aggregate != .run { continue }
            for window in Window.allCases where keeps(metric, window, track) {
                update(track, track.layout.slot(window, index), metric.aggregate, value)
            }
        }
    }

    private func update(_ track: TrackState, _ slot: Int, _ aggregate: Metric.Aggregate, _ value: Double) {
        switch aggregate {
        case .count, .sum: track.numbers[slot] += value
        case .max:
            if !track.hasValue[slot] || value > track.numbers[slot] { track.numbers[slot] = value + 0 }
            track.hasValue[slot] = true
        // Adding zero turns −0 into 0.
        case .last: track.numbers[slot] = value + 0
        case .run: track.numbers[slot] = value == 1 ? track.numbers[slot] + 1 : 0
        case .distinct: break
        }
    }

    private func keeps(_ metric: MetricPlan, _ window: Window, _ track: TrackState) -> Bool {
        metric.isKept(in: window) && (window != .session || track.currentSession != nil)
    }

    private func updateKeyed(
        _ track: TrackState, _ metric: MetricPlan, _ key: Code, _ index: Int, _ frame: Frame
    ) {
        var amount = 1.0
        if metric.aggregate == .sum { amount = metric.expression?.number(frame) ?? .nan }
        guard !amount.isNaN else { return }
        withKey(key, isText: metric.keyIsText, frame) { key in
            for window in Window.allCases where keeps(metric, window, track) {
                let slot = track.layout.slot(window, index)
                if metric.aggregate == .distinct {
                    if track.keyed[window.rawValue][index, default: KeyedValues()].insert(key) {
                        track.numbers[slot] += 1
                    }
                } else {
                    track.numbers[slot] = track.keyed[window.rawValue][index, default: KeyedValues()]
                        .add(amount, to: key, largest: track.numbers[slot])
                }
            }
        }
    }

    /// Calls `body` with an expression's value as bytes, unless it is null.
    private func withKey(
        _ key: Code, isText: Bool, _ frame: Frame, _ body: (UnsafeBufferPointer<UInt8>) -> Void
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
