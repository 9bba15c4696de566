import LaurelEvents
import LaurelRules

/// Step 4: whether the day counts.
extension FoldCore {
    func updateStreak(_ track: inout TrackValues, _ columns: EventColumns, _ frame: Frame) {
        guard let isActive = plan.isActive, let terms = plan.streakTerms else { return }
        switch event.kind {
        case .streakRepaired:
            if let date = date(columns), date <= event.day { markActive(date, &track, terms) }
        case .streakFrozen:
            if let date = date(columns) {
                track.streak.freeze(date, terms)
                track.publishedStreakDay = nil
            }
        default: break
        }
        // An active day stays one, whatever the condition says later.
        if track.activeDay?.number != event.day.number, isActive.isTrue(frame) {
            markActive(event.day, &track, terms)
            track.activeDay = event.day
        }
        publishStreak(&track)
    }

    private func markActive(_ day: CivilDay, _ track: inout TrackValues, _ terms: StreakTerms) {
        guard !track.streak.active.contains(day) else { return }
        track.streak.markActive(day, terms)
        track.publishedStreakDay = nil
        track.days[track.dayIndex(day)].isActive = true
    }

    private func date(_ columns: EventColumns) -> CivilDay? {
        scratch.text(.date, columns).flatMap { CivilDay(parsing: $0) }
    }

    @inline(__always)
    func publishStreak(_ track: inout TrackValues) {
        if track.publishedStreakDay?.number != event.day.number { publishStreakAnew(&track) }
    }

    private func publishStreakAnew(_ track: inout TrackValues) {
        guard let terms = plan.streakTerms else { return }
        track.publishedStreakDay = event.day
        let value = track.streak.value(at: event.day, terms)
        track.numbers[track.layout.currentStreak] = Double(value.current)
        track.numbers[track.layout.longestStreak] = Double(value.longest)
        track.changes.insert(.streak)
    }
}
