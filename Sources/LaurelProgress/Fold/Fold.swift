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
    /// Whether `event` holds one: until then its week is not that of its day.
    private var hasBegun = false
    /// The language track of the event before.
    private var lastTrack: TrackState?
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
        lastTrack = nil
    }

    /// Folds consecutive rows, which must follow the learner's order and everything folded before. Void ones are passed
    /// over; the corrections that void them must have been noted with ``noteCorrections(_:)``.
    /// - Complexity: O(rows · rules).
    package func fold(_ bound: BoundTable, rows: Range<Int>) {
        guard let last = rows.last else { return }
        let hasVoids = !state.voids.isEmpty
        bound.table.withColumns { columns in
            for row in rows {
                if hasVoids, isVoid(bound, row) { continue }
                step(bound, columns, row)
            }
        }
        state.position = EventPosition(bound.table, last)
    }

    private func isVoid(_ bound: BoundTable, _ row: Int) -> Bool {
        guard bound.typePlans[Int(bound.table.type[row])].kind != .eventRetracted else { return false }
        return state.voids.isDiscarded(bound.table, row) || state.voids.isRetracted(bound.table, row)
    }

    private func step(_ bound: BoundTable, _ columns: EventColumns, _ row: Int) {
        let type = Int(columns.type[row])
        let typePlan = bound.typePlans[type]
        bound.targets[type].withUnsafeBufferPointer { scratch.load(columns, row, typePlan, $0, bound.table) }
        beginEvent(columns, row, typePlan.kind)
        if plan.readsType { scratch.texts[FrameLayout.TextName.type.rawValue] = typeName(bound.table, row) }
        if let observer { observer.willFold(bound.table, row, event) }
        if typePlan.kind == .learnerUpdated { updateProfile(bound.table) }
        let language = columns.language[row]
        let track = language == 0 ? nil : track(columns.text(language))
        applyWord(bound.table, columns, track)
        let overall = state.tracks[0]
        foldTrack(overall, bound.table, columns, typePlan)
        if let track { foldTrack(track, bound.table, columns, typePlan) }
        scratch.unload(typePlan)
    }

    /// Steps 1 to 6 of semantics section 4, in one track.
    private func foldTrack(
        _ track: TrackState, _ table: EventTable, _ columns: EventColumns, _ typePlan: TypePlan
    ) {
        openWindows(track, columns)
        if typePlan.kind == .sessionEnded { borrowFromStart(track, typePlan) }
        let frame = Frame(track: track.numbers, event: scratch.numbers, texts: scratch.texts)
        count(track, table, columns)
        publishWords(track)
        updateMetrics(track, typePlan, frame)
        updateStreak(track, table, frame)
        if track.language == nil { award(track, typePlan, table, frame) }
        creditEarned(track)
        updateAchievements(track, table, frame)
        if typePlan.kind == .sessionEnded { closeSession(track) }
    }

    private func track(_ language: UnsafeBufferPointer<UInt8>) -> TrackState {
        if let last = lastTrack, last.hasLanguage(language) { return last }
        let track: TrackState
        if let known = state.tracks.first(where: { $0.hasLanguage(language) }) {
            track = known
        } else {
            track = TrackState(language: Array(language), plan: plan)
            state.tracks.append(track)
        }
        lastTrack = track
        return track
    }

    private func beginEvent(_ columns: EventColumns, _ row: Int, _ kind: EventKind) {
        let time = columns.milliseconds[row]
        let local = clock.localTime(
            at: time, offsetCode: columns.offsets[row], timezone: columns.text(columns.timezone[row]))
        if local.day != event.local.day || !hasBegun {
            event.week = local.day.weekStart(firstWeekday: plan.weekStartsOn)
            hasBegun = true
        }
        event.kind = kind
        event.time = time
        event.local = local
        event.session = columns.session[row]
        event.word = WordOutcome()
        scratch.texts[FrameLayout.TextName.session.rawValue] = attribute(event.session, columns)
        scratch.texts[FrameLayout.TextName.language.rawValue] = attribute(columns.language[row], columns)
        scratch.numbers[FrameLayout.EventName.localHour.rawValue] = Double(local.hour)
        scratch.numbers[FrameLayout.EventName.localMinute.rawValue] = Double(local.minute)
        scratch.numbers[FrameLayout.EventName.localWeekday.rawValue] = Double(local.weekday)
    }

    private func attribute(_ index: UInt32, _ columns: EventColumns) -> TextSlice {
        index == 0 ? TextSlice() : scratch.slice(columns.text(index))
    }

    private func typeName(_ table: EventTable, _ row: Int) -> TextSlice {
        scratch.borrow(Array(table.types[table.type[row]]))
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
}
