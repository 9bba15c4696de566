import LaurelRules

/// Step 3: the metrics, in file order, in every window that something reads.
extension FoldCore {
    @inline(__always)
    mutating func runMetrics(_ typePlan: UnsafePointer<TypePlan>) {
        let steps = event.session == 0 ? typePlan.pointee.metrics : typePlan.pointee.metricsInSession
        run(steps, scratch.memory, &self)
    }
}

/// What steps ask of the fold.
extension FoldCore: StepHost {
    mutating func maximise(_ step: UnsafePointer<Step>) {
        let value = scratch.memory.numbers[Int(step.pointee.first)]
        guard !value.isNaN else { return }
        let slots = plan.metrics[Int(step.pointee.third)].slots.all(event.session != 0)
        track.pointee.maximise(slots, value)
        sharingTrack?.pointee.maximise(slots, value)
    }

    mutating func countByKey(_ step: UnsafePointer<Step>, _ key: UnsafeBufferPointer<UInt8>) {
        let amount = scratch.memory.numbers[Int(step.pointee.first)]
        guard !amount.isNaN else { return }
        let metric = plan.metrics.baseAddress! + Int(step.pointee.third)
        track.pointee.count(metric, key, amount, isInSession: event.session != 0)
        sharingTrack?.pointee.count(metric, key, amount, isInSession: event.session != 0)
    }
}

extension TrackValues {
    fileprivate mutating func maximise(_ slots: UnsafeBufferPointer<Int>, _ value: Double) {
        for slot in slots {
            if !hasValue[slot] || value > numbers[slot] { numbers[slot] = value + 0 }
            hasValue[slot] = true
        }
    }

    fileprivate mutating func count(
        _ metric: UnsafePointer<MetricPlan>,
        _ key: UnsafeBufferPointer<UInt8>,
        _ amount: Double,
        isInSession: Bool
    ) {
        let place = metric.pointee.keyedPlace
        for slot in metric.pointee.slots.all(isInSession) {
            let window = slot / layout.stride
            if case .distinct = metric.pointee.aggregate {
                if keyed[window][place].insert(key) { numbers[slot] += 1 }
            } else {
                numbers[slot] = keyed[window][place].add(amount, to: key, largest: numbers[slot])
            }
        }
    }
}
