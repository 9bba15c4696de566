import LaurelRules

/// Whether a language's track and the overall one agree in what metrics read.
///
/// Most learners learn one language. As long as all their events carry it, metrics come to the same in both tracks, and
/// need be evaluated in one only. Found out by comparing the numbers that metrics read, where language or session change;
/// from there on both tracks take the same steps, until an event comes that is not the language's.
struct TrackAgreement: ~Copyable {
    private(set) var holds = false
    private var language: UInt64 = 0
    private var session: UInt64 = 0
    /// What the overall track's own metrics came to, by their places in ``TypePlan/ownMetrics``.
    let values: UnsafeMutablePointer<Double>

    init(metricCount: Int) { values = .allocate(capacity: max(1, metricCount)) }

    deinit { values.deallocate() }

    /// Nothing is known of what comes next.
    mutating func end() {
        holds = false
        language = 0
    }

    /// - Parameters:
    ///   - language: tells it from all others; never 0.
    ///   - session: likewise; where the event has none, too.
    ///   - slots: the numbers that must be the same.
    @inline(__always)
    mutating func update(
        _ language: UInt64,
        _ session: UInt64,
        _ slots: UnsafeBufferPointer<Int>,
        _ one: borrowing TrackValues,
        _ other: borrowing TrackValues
    ) {
        if language == self.language, session == self.session { return }
        self.language = language
        self.session = session
        holds = slots.allSatisfy { one.numbers[$0] == other.numbers[$0] && one.hasValue[$0] == other.hasValue[$0] }
    }
}

extension FoldCore {
    /// To be called when the event's windows are open.
    @inline(__always)
    mutating func compareTracks(_ track: UnsafeMutablePointer<TrackValues>?, _ languageKey: UInt64, _ borrows: Bool) {
        guard let track, !borrows else {
            agreement.end()
            return
        }
        agreement.update(languageKey, event.sessionKey, plan.agreedSlots, overall.pointee, track.pointee)
    }
}

/// Which metrics come to the same in two tracks that agree.
struct AgreeingMetrics {
    /// Per metric, in file order.
    let agrees: [Bool]
    /// The slots that those read which read any.
    let slots: [Int]

    /// Those that keep keys are each track's own; so is what reads streak, level, words or XP.
    init(_ rules: RuleSet, _ layout: TrackLayout) {
        var agrees: [Bool] = []
        var slots: Set<Int> = []
        for metric in rules.metrics {
            let read = [metric.filter, metric.expression].compactMap(\.self).flatMap(\.usedSlots).map(\.slot)
            let numbers = read.compactMap { if case .track(let slot) = $0 { slot } else { nil } }
            let isAgreed =
                metric.keyProgram == nil
                && numbers.allSatisfy {
                    $0 < layout.windowCount && agrees.indices.contains($0 % layout.stride) && agrees[$0 % layout.stride]
                }
            agrees.append(isAgreed)
            if isAgreed { slots.formUnion(numbers) }
        }
        self.agrees = agrees
        self.slots = slots.sorted()
    }
}
