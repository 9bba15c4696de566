package import LaurelEvents
import LaurelRules

/// Folds a learner's events, in the learner's order, into the learner's state.
///
/// Pure: no clock, no I/O, no randomness. Incremental update, full replay, time travel and explanations are this fold
/// with other inputs.
package final class Fold {
    let plan: FoldPlan
    var clock: LocalClock
    package internal(set) var state: LearnerState
    /// Told of what happens as it happens, to explain it; nil while nobody asks.
    package var observer: (any FoldObserver)?

    let scratch: EventScratch
    /// What the event at hand is to every track.
    var event: EventContext
    /// Per bucket, what the event at hand earns by XP rules and adjustments.
    var earnedByBucket: [Double]
    var touchedBuckets: [Int] = []

    package init(plan: FoldPlan, state: LearnerState? = nil) {
        self.plan = plan
        clock = plan.clock
        event = EventContext(local: plan.clock.localTime(at: 0, offset: 0))
        self.state = state ?? LearnerState(plan: plan)
        scratch = EventScratch(plan: plan)
        earnedByBucket = Array(repeating: 0, count: plan.buckets.count)
    }

    /// Begins another learner.
    package func reset(to state: LearnerState? = nil) {
        self.state = state ?? LearnerState(plan: plan)
    }

    /// Folds consecutive rows, which must follow the learner's order and everything folded before. Void ones are passed
    /// over; corrections among them must have been noted with ``note(corrections:rows:)``.
    /// - Complexity: O(rows · rules).
    package func fold(_ bound: BoundTable, rows: Range<Int>) {
        guard let last = rows.last else { return }
        let hasVoids = !state.voids.isEmpty
        bound.table.texts.bytes.withUnsafeBufferPointer { bytes in
            for row in rows {
                if hasVoids, isVoid(bound, row) { continue }
                step(bound, row, bytes.baseAddress)
            }
        }
        state.position = EventPosition(bound.table, last)
    }

    func isVoid(_ bound: BoundTable, _ row: Int) -> Bool {
        let kind = plan.types[bound.typePlans[Int(bound.table.type[row])]].kind
        guard kind != .eventRetracted else { return false }
        return state.voids.isDiscarded(bound.table, row) || state.voids.isRetracted(bound.table, row)
    }

    private func step(_ bound: BoundTable, _ row: Int, _ bytes: UnsafePointer<UInt8>?) {
        let table = bound.table
        let typePlan = plan.types[bound.typePlans[Int(table.type[row])]]
        scratch.load(bound, row, typePlan, bytes)
        event.begin(table, row, typePlan.kind, clock.localTime(of: row, in: table), plan.rules.calendar.weekStartsOn)
        loadAttributes(table, row, bytes)
        observer?.willFold(table, row, event)
        if typePlan.kind == .learnerUpdated { updateProfile(table) }
        let language = table.language[row]
        let track = language == 0 ? nil : track(language, table)
        applyWord(table, track)
        foldTrack(state.tracks[0], bound, row, typePlan)
        if let track { foldTrack(track, bound, row, typePlan) }
        scratch.unload(typePlan)
    }

    /// Steps 1 to 6 of semantics section 4, in one track.
    private func foldTrack(_ track: TrackState, _ bound: BoundTable, _ row: Int, _ typePlan: TypePlan) {
        let table = bound.table
        openWindows(track, table, row)
        if event.kind == .sessionEnded { borrowFromStart(track, table, typePlan) }
        let frame = Frame(track: track.numbers, event: scratch.numbers, texts: scratch.texts)
        count(track, table)
        publishWords(track)
        updateMetrics(track, typePlan, frame)
        updateStreak(track, table, frame)
        if track.language == nil { award(track, typePlan, table, frame) }
        creditEarned(track)
        updateAchievements(track, table, frame)
        closeSession(track)
    }

    private func track(_ language: UInt32, _ table: EventTable) -> TrackState {
        let name = table.texts[language]
        for track in state.tracks where track.language.map({ $0[...] == name }) ?? false { return track }
        let track = TrackState(language: Array(name), plan: plan)
        state.tracks.append(track)
        return track
    }

    private func loadAttributes(_ table: EventTable, _ row: Int, _ bytes: UnsafePointer<UInt8>?) {
        func slice(_ index: UInt32) -> TextSlice {
            guard index != 0, let bytes else { return TextSlice() }
            let range = table.texts.range(index)
            return TextSlice(start: bytes + range.lowerBound, count: range.count)
        }
        scratch.texts[FrameLayout.TextName.session.rawValue] = slice(table.session[row])
        scratch.texts[FrameLayout.TextName.language.rawValue] = slice(table.language[row])
        scratch.texts[FrameLayout.TextName.type.rawValue] = typeSlice(table, row)
        scratch.numbers[FrameLayout.EventName.localHour.rawValue] = Double(event.local.hour)
        scratch.numbers[FrameLayout.EventName.localMinute.rawValue] = Double(event.local.minute)
        scratch.numbers[FrameLayout.EventName.localWeekday.rawValue] = Double(event.local.weekday)
    }

    private func typeSlice(_ table: EventTable, _ row: Int) -> TextSlice {
        guard plan.readsType else { return TextSlice() }
        return scratch.borrow(Array(table.types[table.type[row]]))
    }

    private func updateProfile(_ table: EventTable) {
        if let name = scratch.string(.displayName, table) { state.profile.displayName = name }
        if let language = scratch.string(.nativeLanguage, table) { state.profile.nativeLanguage = language }
        if let minutes = scratch.integer(.dailyGoalMinutes, table) { state.profile.dailyGoalMinutes = Int(minutes) }
        if let cohort = scratch.string(.cohort, table) { state.profile.cohort = cohort }
    }
}

/// The event at hand, as every track sees it.
package struct EventContext {
    package var kind = EventKind.other
    /// Milliseconds since 1970.
    package var time: Int64 = 0
    package var local: LocalTime
    /// The first day of the local day's week.
    package var week = CivilDay(number: 0)
    /// Index into the table's texts; 0 where the event has no session.
    var session: UInt32 = 0
    var word = WordOutcome()

    package var day: CivilDay { local.day }

    init(local: LocalTime) { self.local = local }

    mutating func begin(
        _ table: EventTable, _ row: Int, _ kind: EventKind, _ local: LocalTime, _ firstWeekday: Int
    ) {
        self.kind = kind
        self.local = local
        time = table.milliseconds[row]
        week = local.day.weekStart(firstWeekday: firstWeekday)
        session = table.session[row]
        word = WordOutcome()
    }
}
