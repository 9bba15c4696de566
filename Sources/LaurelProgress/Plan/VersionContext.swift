// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// The properties of other versions that a version needs, so that learners can be converted between versions.
struct VersionContext {
    let index: Int
    let from: LocalDay?
    let streak: StreakSchedule
    /// The weeks of a weekly streak.
    let weeks: StreakWeeks
    /// The windows in which later versions read a metric, by the metric's name.
    let laterWindows: [String: Set<Window>]
    /// The details of words that later versions read.
    let laterDetails: Set<Slot>
    /// The fields of `learner.updated` that later versions read.
    let laterLearnerFields: [FrameLayout.FieldSlot]
    /// True if a later version has achievements that give currencies or freezes.
    let laterGifts: Bool
    /// The limits of later versions.
    let laterLimits: [PlausibleLimit]
    /// The buckets of earlier versions, in the order of their first use. A bucket may be listed more than once.
    let earlierBuckets: [String]

    /// - Parameter versions: all versions, ascending by their first day.
    init(_ index: Int, of versions: [(rules: RuleSet, from: LocalDay?)], _ streak: StreakSchedule) {
        self.index = index
        self.streak = streak
        weeks = StreakWeeks(versions.map { ($0.from, $0.rules.calendar.weekStartsOn) })
        from = versions[index].from
        var windows: [String: Set<Window>] = [:]
        var details: Set<Slot> = []
        for version in versions[(index + 1)...] {
            let read = VersionPlan.slotsRead(by: version.rules)
            let layout = version.rules.layout
            for (place, metric) in version.rules.metrics.enumerated() {
                for window in layout.windows where read.contains(.track(layout.slot(ofMetric: place, in: window))) {
                    windows[metric.name, default: []].insert(window)
                }
            }
            for detail in WordDetailPlan.read(read) { details.insert(.text(detail.slot)) }
        }
        laterLearnerFields = versions[(index + 1)...].flatMap(\.rules.layout.learnerFields)
        laterWindows = windows
        laterDetails = details
        laterGifts = versions[(index + 1)...].contains { $0.rules.givesGifts }
        laterLimits = versions[(index + 1)...].flatMap(\.rules.plausible)
        earlierBuckets = versions[..<index].flatMap { $0.rules.xpBuckets }
    }

    /// The slots to store. They are the slots that the version's own rules read, and the slots whose values later
    /// versions need.
    func slots(readBy rules: RuleSet, _ own: Set<Slot>) -> Set<Slot> {
        var slots = own.union(laterDetails)
        for (place, metric) in rules.metrics.enumerated() {
            for window in laterWindows[metric.name] ?? [] where rules.layout.windows.contains(window) {
                slots.insert(.track(rules.layout.slot(ofMetric: place, in: window)))
            }
        }
        return slots
    }
}
