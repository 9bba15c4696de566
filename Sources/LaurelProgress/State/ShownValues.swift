// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// Decides which of a track's values a fingerprint contains. Values that are stored only for a later version are left
/// out, so a version that is not yet in force changes no fingerprint.
struct ShownValues {
    private let plan: VersionPlan?

    /// Creates an instance that hides no value.
    init() { plan = nil }

    init(_ plan: VersionPlan) { self.plan = plan }

    var hasStreak: Bool { plan?.hasStreak ?? true }
    var hidesSome: Bool { plan?.keepsMore ?? false }

    /// - Parameter slot: an index into the track's numbers.
    func hides(_ slot: Int) -> Bool {
        guard let plan, slot < plan.layout.windowCount else { return false }
        let (window, place) = slot.quotientAndRemainder(dividingBy: plan.layout.stride)
        guard place < plan.layout.stride - 1, let window = Window(rawValue: window) else { return false }
        return !plan.reads(metric: place, in: window)
    }

    func filter(_ keyed: [DistinctValues], _ window: Window) -> [DistinctValues] {
        guard let plan, hidesSome else { return keyed }
        return zip(plan.keyedMetrics, keyed).map { plan.reads(metric: $0, in: window) ? $1 : DistinctValues() }
    }

    func filter(_ session: SessionWindow) -> SessionWindow {
        guard let plan, hidesSome, var values = session.values else { return session }
        var session = session
        for index in 0..<plan.layout.stride where hides(plan.layout.session + index) {
            (values.numbers[index], values.hasValue[index]) = (0, false)
        }
        values.keyed = filter(values.keyed, .session)
        session.values = values
        return session
    }
}
