// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules
import LaurelWire

/// The working state of a running fold. The fold divides a learner's events into stretches: consecutive events with the
/// same day, session and language.
///
/// The struct cannot be copied. Steps receive it as `inout`, so the compiler knows without run-time checks that no
/// other code changes it. For the same reason, tracks and vocabularies are in plain memory, which the learner's state
/// owns.
///
/// All methods are `mutating`, even those that change only the track. Swift then passes `self` by address. Without
/// `mutating`, each call would copy this large struct.
struct FoldCore: ~Copyable {
    let plan: VersionPlan
    var observer: (any FoldObserver)?
    var learner: LearnerState
    /// The learner's overall track.
    var overall: UnsafeMutablePointer<TrackValues>
    /// The track whose steps are running.
    private(set) var track: UnsafeMutablePointer<TrackValues>

    var scratch: CurrentEvent
    /// The table that is being folded.
    private(set) var columns: EventColumns
    /// The properties of the current event that all tracks share.
    var event: EventContext
    /// The plan of the event's type.
    private(set) var typePlan: UnsafePointer<TypePlan>
    private(set) var days: LocalDays
    /// The counts of the stretch so far.
    var counts = StretchCounts()
    /// The XP that the current event earns through XP rules and adjustments.
    var earnings: Earnings
    /// The amounts by currency that the current event awards.
    var awards: [(rule: Int, amount: Double)] = []
    /// The goals that may still be completed, as indexes in file order. The list is valid only for the windows `keys`
    /// and for the event table with the stamp `stamp`.
    var openGoals: (keys: WindowKeys, stamp: UInt64, indexes: [Int]) = (WindowKeys(day: 0, week: 0), 0, [])
    /// The XP that tracks receive at the end of the current stretch of events. Used only if `creditsLater` is true.
    var later: StretchEarnings
    var creditsLater = false
    /// The first row after the current event at which the day, the session or the language changes.
    private var contextEnd = 0
    /// The number of times that an achievement was unlocked or revoked. After each change, achievements that require
    /// another achievement are evaluated again.
    var unlocks = 0

    /// The language track of the previous event, and the key of that track's language.
    private var lastTrack: UnsafeMutablePointer<TrackValues>?
    private var lastLanguage: UInt64 = 0
    /// The key of the language that expressions currently read.
    private var language: UInt64 = 0
    /// Language tags of the table that were sent in another case, each with its canonical spelling.
    private var canonicalTags: [UInt32: [UInt8]] = [:]
    var wordIndexes = WordIndexCache()
    /// The learner's variant in each of the plan's experiments.
    var variants: [TextSlice] = []
    /// The track that receives the overall track's metrics at the end of the stretch; nil if there is no such track.
    private(set) var sharingTrack: UnsafeMutablePointer<TrackValues>?
    /// For each plain count that differs, the difference between ``sharingTrack`` and the overall track.
    private var differences: [(slot: Int, difference: Double)] = []
    /// Identifies the present table. The stamp, combined with an index into the table, is the key of a cached look-up.
    /// Never 0, and different for each call of ``fold(_:rows:into:)``.
    private(set) var tableStamp: UInt64 = 0

    init(plan: VersionPlan, learner: LearnerState) {
        self.plan = plan
        self.learner = learner
        overall = learner.tracks[0].values
        track = overall
        scratch = CurrentEvent(plan: plan)
        days = LocalDays(clock: plan.clock)
        event = EventContext(local: days.local)
        typePlan = plan.types.baseAddress!
        // A placeholder until ``begin(_:_:)``.
        columns = EventTable().withColumns { $0 }
        earnings = Earnings(bucketCount: plan.buckets.count)
        later = StretchEarnings(bucketCount: plan.buckets.count)
    }

    mutating func fold(_ bound: PlannedTable, rows: Range<Int>, into state: LearnerState) {
        let look = bound.look(plan.index)
        var voids = VoidEvents(state.voids)
        bound.table.withColumns { columns in
            begin(state, bound.table, columns)
            if plan.readsLearnerNumbers { publishLearnerNumbers(overall) }
            if !plan.goals.isEmpty {
                let subject = bound.table.subject[rows.lowerBound]
                state.subject = bound.table.texts.string(subject)
            }
            if !plan.experiments.isEmpty {
                assignVariants(of: bound.table.texts[bound.table.subject[rows.lowerBound]])
            }
            var row = rows.lowerBound
            while row < rows.upperBound {
                if voids.isNeeded, voids.isVoid(bound, columns, row) {
                    skip(bound, look, columns, row)
                    row += 1
                } else {
                    row = foldStretch(bound, look, columns, row..<rows.upperBound, &voids)
                }
            }
            for track in state.tracks { track.values.pointee.writeBack(columns) }
            if plan.readsLearnerNumbers { withdrawLearnerNumbers() }
        }
    }

    private mutating func begin(_ state: LearnerState, _ table: EventTable, _ columns: EventColumns) {
        self.columns = columns
        learner = state
        overall = state.tracks[0].values
        lastTrack = nil
        contextEnd = 0
        for track in state.tracks { begin(track.values) }
        tableStamp += 1 << 32
        if !canonicalTags.isEmpty { canonicalTags = [:] }
        days.beginTable()
        scratch.begin(in: overall)
        if !plan.learnerFields.isEmpty { publishLearnerFields() }
        if !plan.leagueNames.isEmpty { publishLeagues() }
        wordIndexes.reserve(table.texts.count)
    }

    private mutating func begin(_ track: UnsafeMutablePointer<TrackValues>) {
        // The value may come from another fold, which counts its own unlocks.
        track.pointee.unlocksSeen = -1
        let scope = plan.achievementScope(isOverall: track.pointee.isOverall)
        track.pointee.achievementInputs = observer == nil ? scope.inputs : .all
        if track.pointee.isOverall { track.pointee.achievementInputs.formUnion(plan.goalChanges) }
        for index in plan.achievements.indices { setBound(of: index, &track.pointee) }
    }

    /// See ``Fold/foldWords(_:rows:)``.
    mutating func foldWords(_ bound: PlannedTable, rows: Range<Int>, into state: LearnerState) {
        let look = bound.look(plan.index)
        var voids = VoidEvents(state.voids)
        bound.table.withColumns { columns in
            begin(state, bound.table, columns)
            for row in rows {
                let shape = look[row]
                guard shape.pointee.type.pointee.changesWords, !voids.isNeeded || !voids.isVoid(bound, columns, row)
                else {
                    continue
                }
                scratch.load(columns, row, shape)
                event.kind = shape.pointee.type.pointee.kind
                event.time = columns.milliseconds[row]
                _ = days.move(to: row, columns)
                event.local = days.local
                if observer != nil { notifyWillFold(bound, row) }
                let language = columns.language[row]
                let track = language == 0 ? nil : languageTrack(language)
                if case .schedulerFitted = event.kind { keepFit(track) } else { applyWord(language, track) }
            }
        }
    }

    /// Folds a stretch: consecutive events with the same day, session and language. Work at the boundaries of a stretch
    /// is done once for all its events. With an observer, each event is a stretch by itself. So is an event that tracks
    /// treat differently.
    /// - Returns: the first row after the stretch.
    private mutating func foldStretch(
        _ bound: PlannedTable,
        _ look: TableLookups,
        _ columns: EventColumns,
        _ rows: Range<Int>,
        _ voids: inout VoidEvents
    ) -> Int {
        var row = rows.lowerBound
        let first = look[row]
        beginStretch(row, first.pointee.type.pointee.kind)
        let language = columns.language[row]
        let track = language == 0 ? nil : languageTrack(language)
        let limit = first.pointee.type.pointee.limit
        let xpBefore = limit >= 0 ? beginLimited(limit, bound.table, row, track) : nil
        if observer != nil { notifyWillFold(bound, row) }
        let adjusted = overall.pointee.xpByBucket[plan.adjustmentBucket]
        openWindows(&overall.pointee)
        if let track { openWindows(&track.pointee) }
        var (count, last, end) = (0, row, row + 1)
        if observer == nil, !first.pointee.isFoldedSeparately {
            sharingTrack = track.flatMap { agrees($0) ? $0 : nil }
            creditsLater = mayCreditLater(track)
            if contextEnd <= row { contextEnd = self.end(ofContextIn: rows, columns) }
            end = contextEnd
        }
        repeat {
            foldEvent(look[row], columns, row, track)
            (count, last, row) = (count &+ 1, row, row &+ 1)
            while voids.isNeeded, row < end, voids.isVoid(bound, columns, row) {
                skip(bound, look, columns, row)
                row += 1
            }
        } while row < end && !typePlan.pointee.endsSession && !look[row].pointee.isFoldedSeparately
        creditNow()
        endSharing()
        let adjustment = overall.pointee.xpByBucket[plan.adjustmentBucket] - adjusted
        if adjustment != 0, event.flag != .flagged { learner.leagues.adjust(by: adjustment, on: event.day) }
        if let xpBefore { endLimited(xpBefore, track) }
        overall.pointee.endStretch(count, at: columns.milliseconds[last])
        overall.pointee.add(counts, on: event.day)
        track?.pointee.endStretch(count, at: columns.milliseconds[last])
        track?.pointee.add(counts, on: event.day)
        return row
    }

    /// Passes over a void event. A question about an earlier instant does not see the correction. For such questions, a
    /// void `group.joined` still notes the group.
    @inline(never)
    private mutating func skip(_ bound: PlannedTable, _ look: TableLookups, _ columns: EventColumns, _ row: Int) {
        observer?.didSkip(bound.table, row, learner.voids.reason(bound.table, row))
        guard case .groupJoined = bound.kind(row), let group = scratch.text(.group, of: look[row], columns, row) else {
            return
        }
        learner.memberships.noteJoining(Array(group))
    }

    private mutating func endSharing() {
        guard let track = sharingTrack else { return }
        plan.sharing.copyMetrics(overall.pointee.numbers, to: track.pointee.numbers, differences)
        sharingTrack = nil
    }

    /// The first row whose day, session or language differs from the current event's; the end of `rows` if all are the
    /// same.
    /// - Parameter rows: a range that starts with the current event.
    private mutating func end(ofContextIn rows: Range<Int>, _ columns: EventColumns) -> Int {
        var row = rows.lowerBound
        let (session, language) = (columns.session[row], columns.language[row])
        repeat {
            row &+= 1
        } while row < rows.upperBound && columns.session[row] == session
            && columns.language[row] == language && days.includes(row, columns)
        return row
    }

    private mutating func agrees(_ track: UnsafeMutablePointer<TrackValues>) -> Bool {
        let isActive = overall.pointee.activeDay?.number == event.day.number
        return plan.sharing.isPossible && isActive == (track.pointee.activeDay?.number == event.day.number)
            && overall.pointee.hasSameStart(as: track)
            && plan.sharing.agree(overall.pointee.numbers, track.pointee.numbers, &differences)
    }

    /// Folds an event whose windows are open. Runs steps 2 to 6 of docs/numbers.md, "The order of the fold", and the
    /// fold's own counts.
    @inline(__always)
    private mutating func foldEvent(
        _ shape: UnsafePointer<ShapePlan>,
        _ columns: EventColumns,
        _ row: Int,
        _ language: UnsafeMutablePointer<TrackValues>?
    ) {
        let typePlan = shape.pointee.type
        self.typePlan = typePlan
        scratch.load(columns, row, shape)
        event.kind = typePlan.pointee.kind
        event.time = columns.milliseconds[row]
        counts.lines &+= typePlan.pointee.lines
        counts.reviews &+= typePlan.pointee.reviews
        if typePlan.pointee.isPractice { counts.practisedAt = event.time }
        if plan.readsMore { publishEventValues(shape.pointee.typeName) }
        if typePlan.pointee.concernsWord { applyWord(columns.language[row], language) }
        if event.session == 0, typePlan.pointee.isTimed { practise() }
        track = overall
        run(typePlan.pointee.program(isOverall: true, event.place), scratch.memory, &self)
        if let language {
            if plan.readsLearnerNumbers { publishLearnerNumbers(language) }
            if sharingTrack == nil {
                foldSeparately(language)
            } else if !typePlan.pointee.sharesAllSteps {
                foldSharing(language)
            }
        }
        earnings.removeAll()
    }

    @inline(never)
    private mutating func foldSeparately(_ language: UnsafeMutablePointer<TrackValues>) {
        track = language
        scratch.see(language)
        run(typePlan.pointee.program(isOverall: false, event.place), scratch.memory, &self)
        scratch.return(to: overall)
    }

    /// Finishes the event in a track that shares metrics. Days and credits were already handled together with the
    /// overall track, whose frame this track reads.
    @inline(never)
    private mutating func foldSharing(_ language: UnsafeMutablePointer<TrackValues>) {
        track = language
        if typePlan.pointee.countsPerTrack { countPerTrack(&language.pointee) }
        if plan.languagesHaveAchievements { _ = achieve() }
        // In the overall track, a step closes the session.
        if typePlan.pointee.endsSession { closeSession(&language.pointee) }
    }

    /// Makes the values that expressions read readable, except the event's fields and its word.
    @inline(never)
    private mutating func publishEventValues(_ typeName: TextSlice) {
        if plan.readsClock { publishClock() }
        if plan.readsType { scratch.texts[plan.slots.type] = typeName }
        if plan.readsWordsElsewhere, event.word.exists { forgetWord() }
    }

    /// The track of the event's language; nil if the event has none.
    var languageTrack: UnsafeMutablePointer<TrackValues>? { language == tableStamp ? nil : lastTrack }

    /// The values that expressions read.
    var frame: Frame { scratch.frame(track.pointee.numbers) }

    /// Calls the observer's `willFold`. A separate function, so that the event is copied only if there is an observer.
    @inline(never)
    private mutating func notifyWillFold(_ bound: PlannedTable, _ row: Int) {
        if event.word.exists { forgetWord() }
        observer?.willFold(bound.table, row, event)
    }

    private mutating func languageTrack(_ language: UInt32) -> UnsafeMutablePointer<TrackValues> {
        let key = tableStamp | UInt64(language)
        if let lastTrack, lastLanguage == key { return lastTrack }
        let name = tag(ofLanguage: language)
        let track: TrackState
        if let known = learner.track(language: name) {
            track = known
        } else {
            track = learner.addTrack(language: name, plan: plan)
            begin(track.values)
        }
        lastTrack = track.values
        lastLanguage = key
        return track.values
    }

    private mutating func beginStretch(_ row: Int, _ kind: EventKind) {
        counts = StretchCounts()
        let isElsewhere = days.move(to: row, columns)
        event.kind = kind
        event.time = columns.milliseconds[row]
        event.local = days.local
        event.session = columns.session[row]
        let sessionKey = tableStamp | UInt64(event.session)
        if sessionKey != event.sessionKey {
            event.sessionKey = sessionKey
            scratch.texts[plan.slots.session] = attribute(event.session, columns.bytes(event.session))
        }
        let languageKey = tableStamp | UInt64(columns.language[row])
        if languageKey != language {
            language = languageKey
            let tag = tag(ofLanguage: columns.language[row])
            scratch.texts[plan.slots.language] = attribute(columns.language[row], tag)
        }
        if isElsewhere {
            event.windowKeys = plan.windowKeys(on: event.day)
            if plan.readsDay { publishDay() }
        }
        event.place = WindowPlace(isInSession: event.session != 0, isInSeason: event.windowKeys.isInSeason)
    }

    /// Makes the values that change with the local day readable by expressions.
    @inline(never)
    private mutating func publishDay() {
        if plan.readsDate { scratch.publish(date: event.day, slot: plan.slots.date) }
        scratch.numbers[plan.slots.day] = Double(event.day.number)
        if !plan.experiments.isEmpty { publishVariants() }
        if plan.readsSeason { scratch.texts[plan.slots.season] = plan.seasonName(event.windowKeys.season) }
    }

    private func attribute(_ index: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> TextSlice {
        index == 0 ? TextSlice() : CurrentEvent.slice(text)
    }

    /// The language's tag in canonical case, valid for the present table.
    private mutating func tag(ofLanguage index: UInt32) -> UnsafeBufferPointer<UInt8> {
        let sent = columns.bytes(index)
        if isCanonicalLanguageTag(sent) { return sent }
        let canonical = canonicalTags[index] ?? canonicalLanguageTag(sent)
        canonicalTags[index] = canonical
        return UnsafeBufferPointer(start: canonical.addressWhileAlive, count: canonical.count)
    }

    private mutating func publishClock() {
        event.local = days.local(at: event.time)
        scratch.numbers[plan.slots.hour] = Double(event.local.hour)
        scratch.numbers[plan.slots.minute] = Double(event.local.minute)
        scratch.numbers[plan.slots.weekday] = Double(event.local.weekday)
    }
}

extension TrackValues {
    /// Applies the changes that all events of a stretch make.
    fileprivate mutating func endStretch(_ count: Int, at time: Int64) {
        counts.events += count
        counts.lastEventAt = time
        currentSessionAt = time
    }
}
