import LaurelRules

/// Step 3: the metrics, in file order, in every window that something reads.
extension Fold {
    func updateMetrics(_ track: TrackState, _ typePlan: TypePlan, _ frame: Frame) {
        for index in typePlan.metrics {
            let plan = plan.metrics[index]
            let metric = plan.metric
            if let filter = metric.filter, !filter.isTrue(frame) { continue }
            if plan.keepsKeys {
                updateKeyed(track, plan, index, frame)
                continue
            }
            let value = metric.aggregate == .count ? 1 : metric.expression?.number(frame) ?? .nan
            if value.isNaN, metric.aggregate != .run { continue }
            for window in plan.windows where window != .session || track.currentSession != nil {
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

    private func updateKeyed(_ track: TrackState, _ plan: MetricPlan, _ index: Int, _ frame: Frame) {
        let metric = plan.metric
        guard let program = metric.key ?? metric.expression else { return }
        var amount = 1.0
        if metric.aggregate == .sum { amount = metric.expression?.number(frame) ?? .nan }
        guard !amount.isNaN else { return }
        withKey(program, frame) { key in
            for window in plan.windows where window != .session || track.currentSession != nil {
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
    private func withKey(_ program: Program, _ frame: Frame, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if program.staticType == .text {
            let text = program.text(frame)
            guard let start = text.start else { return }
            body(UnsafeBufferPointer(start: start, count: text.count))
        } else {
            let number = program.number(frame)
            guard !number.isNaN else { return }
            withUnsafeBytes(of: (number + 0).bitPattern.littleEndian) { body($0.assumingMemoryBound(to: UInt8.self)) }
        }
    }
}
