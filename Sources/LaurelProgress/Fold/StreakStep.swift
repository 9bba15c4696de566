import LaurelEvents
import LaurelRules

/// Step 4: whether the day counts.
extension Fold {
    func updateStreak(_ track: TrackState, _ table: EventTable, _ frame: Frame) {
        guard let isActive = plan.isActive, let terms = plan.streakTerms else { return }
        switch event.kind {
        case .streakRepaired:
            if let date = date(table), date <= event.day { markActive(date, track, terms) }
        case .streakFrozen:
            if let date = date(table) {
                track.streak.freeze(date, terms)
                track.publishedStreakDay = nil
            }
        default: break
        }
        if isActive.isTrue(frame) { markActive(event.day, track, terms) }
        publishStreak(track)
    }

    private func markActive(_ day: CivilDay, _ track: TrackState, _ terms: StreakTerms) {
        guard !track.streak.active.contains(day) else { return }
        track.streak.markActive(day, terms)
        track.publishedStreakDay = nil
        track.days[track.dayIndex(day)].isActive = true
    }

    private func date(_ table: EventTable) -> CivilDay? {
        scratch.bytes(.date, table).flatMap { CivilDay(parsing: $0) }
    }

    func publishStreak(_ track: TrackState) {
        guard track.publishedStreakDay != event.day, let terms = plan.streakTerms else { return }
        track.publishedStreakDay = event.day
        let value = track.streak.value(at: event.day, terms)
        track.numbers[track.layout.currentStreak] = Double(value.current)
        track.numbers[track.layout.longestStreak] = Double(value.longest)
    }
}
