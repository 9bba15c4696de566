import LaurelEvents
import LaurelRules

/// Step 4: whether the day counts.
extension FoldCore {
    @inline(__always)
    mutating func updateStreak(_ track: inout TrackValues, _ columns: EventColumns, _ frame: Frame) {
        switch event.kind {
        case .streakRepaired, .streakFrozen: mend(&track, columns)
        default: break
        }
        if observer != nil { tellWillJudgeDay(track, frame) }
        // An active day stays one, whatever the condition says later.
        if track.activeDay?.number != event.day.number { judgeDay(&track, frame) }
        publishStreak(&track)
    }

    @inline(never)
    private mutating func tellWillJudgeDay(_ track: borrowing TrackValues, _ frame: Frame) {
        observer?.willJudgeDay(track.language, frame)
    }

    private mutating func judgeDay(_ track: inout TrackValues, _ frame: Frame) {
        guard let isActive = plan.isActive, isActive.isTrue(frame) else { return }
        markActive(event.day, &track)
        track.activeDay = event.day
    }

    private mutating func mend(_ track: inout TrackValues, _ columns: EventColumns) {
        guard let date = date(columns) else { return }
        if case .streakFrozen = event.kind {
            track.streak.freeze(date, plan.streakTerms)
            track.publishedStreakDay = nil
        } else if date <= event.day {
            markActive(date, &track)
        }
    }

    /// Under a version without a streak, days are noted for a later one that has it.
    private mutating func markActive(_ day: LocalDay, _ track: inout TrackValues) {
        guard !track.streak.active.contains(day) else { return }
        track.streak.markActive(day, plan.streakTerms)
        track.publishedStreakDay = nil
        guard plan.hasStreak else { return }
        track.enterDay(day)
        track.today.isActive = true
    }

    private mutating func date(_ columns: EventColumns) -> LocalDay? {
        scratch.text(.date, columns).flatMap { LocalDay(parsing: $0) }
    }

    @inline(__always)
    mutating func publishStreak(_ track: inout TrackValues) {
        if track.publishedStreakDay?.number != event.day.number { publishStreakAnew(&track) }
    }

    private mutating func publishStreakAnew(_ track: inout TrackValues) {
        guard plan.hasStreak else { return }
        track.publishedStreakDay = event.day
        let value = track.streak.value(at: event.day, plan.streakTerms)
        track.numbers[track.layout.currentStreak] = Double(value.current)
        track.numbers[track.layout.longestStreak] = Double(value.longest)
        track.changes.insert(.streak)
    }
}
