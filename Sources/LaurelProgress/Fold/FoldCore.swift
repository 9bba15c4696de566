import LaurelEvents
import LaurelRules

/// What the fold works with while it runs.
///
/// A struct that cannot be copied: it is handed from step to step as `inout`, so that the compiler knows without checks
/// at run time that nobody else changes it. For the same reason tracks and vocabularies are worked on in plain memory;
/// the learner's state owns it.
///
/// Its methods are all `mutating`, even those that change only the track: `self` is then passed by address, where a
/// borrowed struct of this size is copied for the call.
struct FoldCore: ~Copyable {
    let plan: VersionPlan
    var observer: (any FoldObserver)?
    var learner: LearnerState
    /// The learner's first track.
    var overall: UnsafeMutablePointer<TrackValues>

    var scratch: EventScratch
    /// What the event at hand is to every track.
    var event: EventContext
    private(set) var days: LocalDays
    /// What the event at hand earns by XP rules and adjustments.
    var earnings: Earnings
    /// How often an achievement was unlocked or revoked: others may require it.
    var unlocks = 0

    /// The language track of the event before, and the key of its language.
    private var lastTrack: UnsafeMutablePointer<TrackValues>?
    private var lastLanguage: UInt64 = 0
    /// The key of the language that expressions see.
    private var language: UInt64 = 0
    var wordPlaces = WordPlaces()
    var agreement: TrackAgreement
    /// Makes keys of indexes into the present table: never 0, other for each call of ``fold(_:rows:into:)``.
    private(set) var tableStamp: UInt64 = 0

    init(plan: VersionPlan, learner: LearnerState) {
        self.plan = plan
        self.learner = learner
        overall = learner.tracks[0].values
        scratch = EventScratch(plan: plan)
        days = LocalDays(clock: plan.clock)
        event = EventContext(local: days.local)
        earnings = Earnings(bucketCount: plan.buckets.count)
        agreement = TrackAgreement(metricCount: plan.rules.metrics.count)
    }

    mutating func fold(_ bound: BoundTable, rows: Range<Int>, into state: LearnerState) {
        begin(state, bound.table)
        let look = bound.look(plan.index)
        var voids = VoidCheck(state.voids)
        bound.table.withColumns { columns in
            for row in rows {
                if voids.isNeeded, voids.isVoid(bound, columns, row) {
                    observer?.didPassOver(bound.table, row, state.voids.reason(bound.table, row))
                    continue
                }
                step(bound, look, columns, row)
            }
            for track in state.tracks { track.values.pointee.writeBack(columns) }
        }
    }

    private mutating func begin(_ state: LearnerState, _ table: EventTable) {
        learner = state
        overall = state.tracks[0].values
        lastTrack = nil
        agreement.end()
        // Whoever folded the learner before counted other unlocks.
        for track in state.tracks { track.unlocksSeen = -1 }
        tableStamp += 1 << 32
        days.beginTable()
        wordPlaces.reserve(table.texts.count)
    }

    /// See ``Fold/foldWords(_:rows:)``.
    mutating func foldWords(_ bound: BoundTable, rows: Range<Int>, into state: LearnerState) {
        begin(state, bound.table)
        let look = bound.look(plan.index)
        var voids = VoidCheck(state.voids)
        bound.table.withColumns { columns in
            for row in rows {
                let kind = look.typePlans[Int(columns.type[row])].pointee.kind
                guard kind.concernsWord, !voids.isNeeded || !voids.isVoid(bound, columns, row) else { continue }
                scratch.load(columns, row, look)
                event.kind = kind
                event.time = columns.milliseconds[row]
                if event.word.exists { forgetWord() }
                if observer != nil { tellWillFold(bound, row) }
                let language = columns.language[row]
                applyWord(columns, language, language == 0 ? nil : track(language, columns))
            }
        }
    }

    private mutating func step(_ bound: BoundTable, _ look: TableLook, _ columns: EventColumns, _ row: Int) {
        let typePlan = look.typePlans[Int(columns.type[row])]
        scratch.load(columns, row, look)
        beginEvent(columns, row, typePlan.pointee.kind)
        if plan.readsType { scratch.texts[plan.slots.type] = look.typeNames[Int(columns.type[row])] }
        if observer != nil { tellWillFold(bound, row) }
        if case .learnerUpdated = event.kind { updateProfile(columns) }
        let language = columns.language[row]
        let track = language == 0 ? nil : track(language, columns)
        applyWord(columns, language, track)
        openWindows(&overall.pointee, columns)
        if let track { openWindows(&track.pointee, columns) }
        compareTracks(track, lastLanguage, typePlan.pointee.borrows)
        if !typePlan.pointee.borrows {
            updateSharedMetrics(
                typePlan,
                TrackNumbers(overall.pointee),
                track.map { TrackNumbers($0.pointee) }
            )
        }
        foldTrack(&overall.pointee, columns, typePlan)
        if let track { foldTrack(&track.pointee, columns, typePlan) }
    }

    /// Steps 3 to 6 of docs/numbers.md, "The order of the fold", in one track, and what no rule defines; of the metrics,
    /// those that depend on the track.
    private mutating func foldTrack(
        _ track: inout TrackValues,
        _ columns: EventColumns,
        _ typePlan: UnsafePointer<TypePlan>
    ) {
        if typePlan.pointee.borrows {
            borrowFromStart(track, typePlan)
            updateSharedMetrics(typePlan, TrackNumbers(track), nil)
        }
        let frame = scratch.frame(track.numbers)
        count(&track, columns)
        updateOwnMetrics(&track, typePlan, frame)
        updateStreak(&track, columns, frame)
        if track.isOverall { award(&track, typePlan, columns, frame) }
        creditEarned(&track)
        updateAchievements(&track, typePlan, columns, frame)
        if case .sessionEnded = event.kind { closeSession(&track) }
    }

    /// The track of the event's language; nil where it has none.
    var languageTrack: UnsafeMutablePointer<TrackValues>? { language == tableStamp ? nil : lastTrack }

    /// Apart, so that the event is copied only for an observer.
    @inline(never)
    private mutating func tellWillFold(_ bound: BoundTable, _ row: Int) { observer?.willFold(bound.table, row, event) }

    private mutating func track(_ language: UInt32, _ columns: EventColumns) -> UnsafeMutablePointer<TrackValues> {
        let key = tableStamp | UInt64(language)
        if let lastTrack, lastLanguage == key { return lastTrack }
        let name = columns.bytes(language)
        let track: TrackState
        if let known = learner.tracks.first(where: { $0.values.pointee.hasLanguage(name) }) {
            track = known
        } else {
            track = learner.addTrack(language: name, plan: plan)
        }
        lastTrack = track.values
        lastLanguage = key
        return track.values
    }

    private mutating func beginEvent(_ columns: EventColumns, _ row: Int, _ kind: EventKind) {
        let isElsewhere = days.move(to: row, columns)
        event.kind = kind
        event.time = columns.milliseconds[row]
        event.local = days.local
        event.session = columns.session[row]
        let sessionKey = tableStamp | UInt64(event.session)
        if sessionKey != event.sessionKey {
            event.sessionKey = sessionKey
            scratch.texts[plan.slots.session] = attribute(event.session, columns)
        }
        let languageKey = tableStamp | UInt64(columns.language[row])
        if languageKey != language {
            language = languageKey
            scratch.texts[plan.slots.language] = attribute(columns.language[row], columns)
        }
        if isElsewhere {
            event.week = event.day.weekStart(firstWeekday: plan.weekStartsOn)
            if plan.readsDate { scratch.publish(date: event.day, slot: plan.slots.date) }
        }
        if plan.readsClock { publishClock() }
        if event.word.exists { forgetWord() }
    }

    private mutating func attribute(_ index: UInt32, _ columns: EventColumns) -> TextSlice {
        index == 0 ? TextSlice() : EventScratch.slice(columns.bytes(index))
    }

    private mutating func publishClock() {
        scratch.numbers[plan.slots.hour] = Double(event.local.hour)
        scratch.numbers[plan.slots.minute] = Double(event.local.minute)
        scratch.numbers[plan.slots.weekday] = Double(event.local.weekday)
    }

    private mutating func updateProfile(_ columns: EventColumns) {
        if let name = scratch.string(.displayName, columns) { learner.profile.displayName = name }
        if let language = scratch.string(.nativeLanguage, columns) { learner.profile.nativeLanguage = language }
        if let minutes = scratch.integer(.dailyGoalMinutes, columns) { learner.profile.dailyGoalMinutes = Int(minutes) }
        if let cohort = scratch.string(.cohort, columns) { learner.profile.cohort = cohort }
    }
}
