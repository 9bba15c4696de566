// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// A learner's state as bytes, for snapshots and fingerprints. Equal states give equal bytes.
extension LearnerState {
    package func encoded() -> [UInt8] {
        var writer = StateWriter(.snapshot)
        write(to: &writer)
        return writer.bytes
    }

    fileprivate func write(to writer: inout StateWriter) {
        writer.write(writer.purpose == .snapshot ? StateFormat.version : StateFormat.fingerprintVersion)
        if writer.purpose == .snapshot { writer.write(version) }
        writer.write(profile)
        if voids.isEmpty {
            writer.write(zeros: 2)
        } else {
            writer.write(voids.retracted)
            writer.write(voids.discardedSessions)
        }
        var languages = vocabularies
        if languages.count > 1 { languages.sort { $0.language.lexicographicallyPrecedes($1.language) } }
        let plan = plan
        writer.write(list: languages) { $0.write($1, plan) }
        writer.write(list: tracksInOrder) { $1.values.pointee.write(to: &$0, plan) }
        writer.write(optional: position) { writer, position in
            writer.write(position.milliseconds)
            writer.write(position.source)
            writer.write(position.id)
        }
        writer.write(profile.fields, plan)
        if !balances.isEmpty { writer.write(list: balances) { $0.write($1) } }
        for count in purchases { writer.write(count) }
        if !purchases.isEmpty { writer.write(optional: purchasedAt) { $0.write($1) } }
        for goal in goals { writer.write(goal) }
        writeGrants(to: &writer, plan)
        writeFits(to: &writer, plan)
        writeFlags(to: &writer)
        writeMemberships(to: &writer)
        writer.write(leagues, section: StateSection.leagues.rawValue, plan)
    }

    /// Writes the granted freezes of all tracks, if there are any. Fingerprints contain them only under a version with a
    /// streak.
    private func writeGrants(to writer: inout StateWriter, _ plan: VersionPlan) {
        let tracks = tracksInOrder
        guard writer.purpose == .snapshot || plan.hasStreak,
            tracks.contains(where: { !$0.streak.days.grants.isEmpty })
        else { return }
        writer.write(StateSection.grants.rawValue)
        for track in tracks { writer.write(track.streak.days.grants) }
    }

    /// Writes the fitted parameters, if there are any. Fingerprints contain them only under a version with FSRS.
    private func writeFits(to writer: inout StateWriter, _ plan: VersionPlan) {
        guard !fitted.isEmpty, writer.purpose == .snapshot || !plan.isSM2 else { return }
        writer.write(StateSection.fits.rawValue)
        writer.write(list: fitted.fits) { writer, fit in
            writer.write(fit.language)
            fit.weights.withUnsafeBufferPointer { writer.write(list: $0) }
        }
    }

    /// Writes the flagged events and XP, if there are any. Snapshots also contain the data for checking later events.
    private func writeFlags(to writer: inout StateWriter) {
        let isSnapshot = writer.purpose == .snapshot
        let needsMore = plausibility.cleared.count > 0 || !plausibility.recent.allSatisfy(\.isEmpty)
        guard tracks[0].flagged.events > 0 || isSnapshot && needsMore else { return }
        writer.write(StateSection.flags.rawValue)
        if isSnapshot {
            writer.write(plausibility.cleared)
            writer.write(list: Array(zip(plausibility.recent, plan.limitedTypes))) { writer, recent in
                writer.write(list: recent.0.suffix(recent.1.kept)) { $0.write($1) }
            }
        }
        for track in tracksInOrder {
            writer.write(track.flagged.events)
            writer.write(track.flagged.xp)
            writer.write(list: track.days.filter { $0.flaggedXP != 0 }) { writer, day in
                writer.write(Int(day.day.number))
                writer.write(day.flaggedXP)
            }
        }
    }

    private func readFlags(_ reader: inout StateReader) throws(StateReader.Malformed) {
        plausibility.cleared = try reader.keyedValues()
        plausibility.recent = try reader.list { reader throws(StateReader.Malformed) in
            try reader.list { reader throws(StateReader.Malformed) in try reader.int64() }
        }
        guard plausibility.recent.count == plan.limitedTypes.count else { throw StateReader.Malformed() }
        for track in tracksInOrder {
            track.flagged = FlaggedTotals(events: try reader.int(), xp: try reader.double())
            let days = try reader.list { reader throws(StateReader.Malformed) in
                (day: try reader.civilDay(), xp: try reader.double())
            }
            for flagged in days {
                let index = track.days.indices.partitioningIndex { track.days[$0].day >= flagged.day }
                guard index < track.days.count, track.days[index].day == flagged.day else {
                    throw StateReader.Malformed()
                }
                track.days[index].flaggedXP = flagged.xp
            }
        }
    }

    /// Writes the memberships in groups, if there are any. Fingerprints do not contain them, because a learner's own
    /// numbers do not depend on groups.
    private func writeMemberships(to writer: inout StateWriter) {
        guard !memberships.isEmpty, writer.purpose == .snapshot else { return }
        writer.write(StateSection.memberships.rawValue)
        writer.write(memberships)
    }

    private func readSection(_ reader: inout StateReader) throws(StateReader.Malformed) {
        switch StateSection(rawValue: try reader.unsigned()) {
        case .grants:
            for track in tracks {
                let grants = try reader.freezeGrants()
                let days = track.streak.days
                track.streak = Streak(
                    StreakPeriods(active: days.active, frozen: days.frozen, grants: grants),
                    schedule: plan.streakTerms
                )
            }
        case .fits:
            let fits = try reader.list { reader throws(StateReader.Malformed) in
                let language = try reader.data()
                let weights = try reader.list { reader throws(StateReader.Malformed) in try reader.double() }
                return FittedParameters.Fit(language: language, weights: weights)
            }
            guard let fitted = FittedParameters(fits) else { throw StateReader.Malformed() }
            self.fitted = fitted
        case .flags: try readFlags(&reader)
        case .memberships: memberships = try reader.memberships()
        case .leagues: leagues = try reader.leagues()
        case nil: throw StateReader.Malformed()
        }
    }

    /// Reads the bytes that ``encoded()`` returned under the same rules. Returns nil if the bytes are invalid.
    package convenience init?(decoding bytes: [UInt8], plan: FoldPlan) {
        var reader = StateReader(bytes)
        guard let format = try? reader.unsigned(), format == StateFormat.version, let version = try? reader.int(),
            plan.versions.indices.contains(version)
        else { return nil }
        let plan = plan.versions[version]
        self.init(version: plan)
        do throws(StateReader.Malformed) {
            try reader.read(&profile)
            voids.retracted = try reader.keyedValues()
            voids.discardedSessions = try reader.keyedValues()
            guard voids.isWellFormed else { return nil }
            vocabularies = try reader.list { reader throws(StateReader.Malformed) in
                try reader.vocabulary(details: plan.wordDetails.count)
            }
            let count = try reader.count()
            tracks = []
            for _ in 0..<count {
                tracks.append(try TrackState(reading: &reader, plan: plan, isOverall: tracks.isEmpty))
            }
            position = try reader.optional { reader throws(StateReader.Malformed) in
                EventPosition(milliseconds: try reader.int64(), source: try reader.data(), id: try reader.data())
            }
            for place in plan.learnerFields.indices {
                profile.fields[place] = try reader.learnerField(plan.learnerFields[place].type)
            }
            if !balances.isEmpty {
                balances = try reader.list { reader throws(StateReader.Malformed) in try reader.balance() }
                guard balances.count == plan.currencies.count else { return nil }
            }
            for index in purchases.indices { purchases[index] = try reader.int() }
            if !purchases.isEmpty {
                purchasedAt = try reader.optional { reader throws(StateReader.Malformed) in try reader.int64() }
            }
            for index in goals.indices { goals[index] = try reader.goal() }
            guard !tracks.isEmpty else { return nil }
            while !reader.isAtEnd { try readSection(&reader) }
        } catch {
            return nil
        }
    }

    /// A snapshot: hashes of the rules under which the state is valid, followed by the state.
    package func snapshot(plan: FoldPlan) -> [UInt8] { plan.snapshotHead(self) + encoded() }

    /// Reads a snapshot. Returns nil if the bytes are invalid, or if the snapshot is not valid under the plan.
    package convenience init?(snapshot: [UInt8], plan: FoldPlan) {
        let (head, state) = (
            snapshot.prefix(FoldPlan.snapshotHeadLength), snapshot.dropFirst(FoldPlan.snapshotHeadLength)
        )
        let bytes = Array(state)
        var reader = StateReader(bytes)
        guard (try? reader.unsigned()) == StateFormat.version, let version = try? reader.int(),
            plan.holds(snapshotHead: head, version: version)
        else { return nil }
        self.init(decoding: bytes, plan: plan)
        guard plan.holds(snapshotHead: head, version: version, last: position?.milliseconds) else { return nil }
    }

    /// The hash of the learner's whole progress.
    package var fingerprint: [UInt8] { Fingerprinter().fingerprint(of: self) }
}

/// Computes the hash of one state after another, in the same memory. Not thread-safe.
package final class Fingerprinter {
    @exclusivity(unchecked) private var writer = StateWriter(.fingerprint)

    package init() {}

    /// See ``LearnerState/fingerprint``.
    package func fingerprint(of state: LearnerState) -> [UInt8] {
        writer.removeAll()
        state.write(to: &writer)
        return writer.withBytes { SHA256.hash($0) }
    }
}

/// The sections at the end of a state. Each is written only if it has content, preceded by its number.
private enum StateSection: UInt64 {
    case grants = 1
    case fits = 2
    case flags = 3
    case memberships = 4
    case leagues = 5
}

package enum StateFormat {
    /// The version of the encoding. It must be raised whenever the bytes or the results of the fold change. Laurel then
    /// rebuilds snapshots of an older version, and tables computed by an older fold.
    package static let version: UInt64 = 8 + TrackCounts.additions
    /// The version of fingerprints. It stays constant, so that fingerprints change only if a learner's numbers change.
    static let fingerprintVersion: UInt64 = 3
}

extension TrackValues {
    /// Writes the values, without changing them. The method is `mutating` for speed: see ``FoldCore``.
    mutating func write(to writer: inout StateWriter, _ plan: VersionPlan) {
        // A fingerprint contains only the values that the version's own rules read.
        let shown = writer.purpose == .fingerprint ? ShownValues(plan) : ShownValues()
        writer.write(language ?? [])
        writeNumbers(to: &writer, shown)
        for window in [.total] + plan.calendarWindows {
            writer.write(shown.filter(keyed[window.rawValue], window), keyedMetrics)
        }
        writer.write(list: sessions.isEmpty ? [] : runningSessions().map(shown.filter)) { $0.write($1, keyedMetrics) }
        writer.write(shown.hasStreak ? streak.days.active : DaySet())
        writer.write(shown.hasStreak ? streak.days.frozen : DaySet())
        writer.write(list: achievements) { $0.write($1) }
        writeBuckets(to: &writer, plan)
        writer.write(list: UnsafeBufferPointer(awardedToday))
        writer.write(days)
        writeCounters(to: &writer)
        writer.write(optional: windowKeys) { $0.write(Int($1.day)) }
        writer.write(optional: windowKeys) { $0.write(Int($1.week)) }
        if layout.seasonXP != nil { writer.write(Int(windowKeys?.season ?? -1)) }
        writer.write(optional: declaredLevel) { $0.write($1) }
        if writer.purpose == .snapshot ? plan.keepsGifts : plan.rules.givesGifts {
            for achievement in achievements { writer.write(achievement.tiersGiven) }
        }
        guard writer.purpose == .snapshot else { return }
        writer.write(Int(lastClock.offsetCode))
        writer.write(lastClock.timezone)
        writer.write(list: unlockTimes) { $0.write(list: $1) { $0.write($1) } }
    }

    /// Writes the buckets. Fingerprints contain a bucket of an earlier version only if it is not 0.
    private mutating func writeBuckets(to writer: inout StateWriter, _ plan: VersionPlan) {
        let buckets = UnsafeBufferPointer(xpByBucket)
        guard writer.purpose == .fingerprint, plan.ownBucketCount < buckets.count else {
            return writer.write(list: buckets)
        }
        writer.write(list: UnsafeBufferPointer(rebasing: buckets.prefix(plan.ownBucketCount)))
        for bucket in plan.ownBucketCount..<xpByBucket.count where xpByBucket[bucket] != 0 {
            writer.write(plan.buckets[bucket])
            writer.write(xpByBucket[bucket])
        }
    }

    /// Writes the numbers of all windows except the session's window, and then the numbers outside windows.
    private mutating func writeNumbers(to writer: inout StateWriter, _ shown: ShownValues) {
        let session = layout.sessionRegion
        if shown.hidesSome {
            for slot in 0..<layout.count where !session.contains(slot) {
                writer.write(shown.hides(slot) ? 0 : numbers[slot])
            }
            for slot in 0..<layout.windowCount where !session.contains(slot) {
                writer.write(hasValue[slot] && !shown.hides(slot) ? 1 : 0 as Double)
            }
            return
        }
        writer.write(UnsafeBufferPointer(start: numbers, count: session.lowerBound))
        let rest = UnsafeBufferPointer(start: numbers + session.upperBound, count: layout.count - session.upperBound)
        writer.write(rest)
        writer.write(flags: UnsafeBufferPointer(start: hasValue, count: session.lowerBound))
        let flagsLeft = layout.windowCount - session.upperBound
        writer.write(flags: UnsafeBufferPointer(start: hasValue + session.upperBound, count: flagsLeft))
    }

    /// The sessions that can still continue, sorted by id. The entry of the current session contains its present
    /// numbers.
    private mutating func runningSessions() -> [SessionWindow] {
        var sessions = sessions.windows
        if let currentSession { sessions[currentSession].values = sessionValues }
        return sessions.filter { counts.lastEventAt - $0.lastEventAt <= sessionGap }
            .sorted { $0.id.lexicographicallyPrecedes($1.id) }
    }

    private mutating func writeCounters(to writer: inout StateWriter) {
        var offset = Int(lastOffsetSeconds)
        counts.code(with: &writer, offset: &offset)
        // Results show the last practice, but no number depends on it. So fingerprints leave it out.
        if writer.purpose == .snapshot {
            writer.write(optional: lastPractice) { writer, practice in
                writer.write(practice.at)
                writer.write(Int(practice.day.number))
            }
        }
    }

    /// Reads the values of a track. The caller has already read the language.
    fileprivate mutating func read(_ reader: inout StateReader, plan: VersionPlan) throws(StateReader.Malformed) {
        let session = layout.sessionRegion
        for slot in 0..<layout.count where !session.contains(slot) { numbers[slot] = try reader.double() }
        for slot in 0..<layout.windowCount where !session.contains(slot) { hasValue[slot] = try reader.double() == 1 }
        for window in [.total] + plan.calendarWindows {
            keyed[window.rawValue] = try reader.keyed(plan.keyedMetrics)
        }
        let stride = layout.stride
        sessions = OpenSessions(
            try reader.list { reader throws(StateReader.Malformed) in
                try reader.session(stride: stride, plan.keyedMetrics)
            }
        )
        let active = try reader.daySet()
        let frozen = try reader.daySet()
        streak = Streak(StreakPeriods(active: active, frozen: frozen), schedule: plan.streakTerms)
        try reader.list(into: achievements) { reader throws(StateReader.Malformed) in try reader.achievement() }
        for index in achievements.indices
        where !(0...plan.achievements[index].thresholds.count).contains(achievements[index].tier) {
            throw StateReader.Malformed()
        }
        try reader.list(into: xpByBucket) { reader throws(StateReader.Malformed) in try reader.double() }
        try reader.list(into: awardedToday) { reader throws(StateReader.Malformed) in try reader.double() }
        days = try reader.days()
        try readCounters(&reader)
        let day = try reader.optional { reader throws(StateReader.Malformed) in try reader.civilDay() }
        let week = try reader.optional { reader throws(StateReader.Malformed) in try reader.civilDay() }
        guard (day == nil) == (week == nil) else { throw StateReader.Malformed() }
        let season = layout.seasonXP == nil ? -1 : try reader.int()
        guard (-1..<max(plan.rules.seasons.count, 0)).contains(season) else { throw StateReader.Malformed() }
        if let day, let week { windowKeys = WindowKeys(day: day.number, week: week.number, season: Int32(season)) }
        declaredLevel = try reader.optional { reader throws(StateReader.Malformed) in try reader.int() }
        guard declaredLevel.map(CEFRRule.levels.indices.contains) ?? true else { throw StateReader.Malformed() }
        if plan.keepsGifts {
            for index in achievements.indices { achievements[index].tiersGiven = try reader.int() }
        }
        lastClock.offsetCode = Int16(truncatingIfNeeded: try reader.int64())
        lastClock.timezone = try reader.data()
        unlockTimes = try reader.list { reader throws(StateReader.Malformed) in
            try reader.list { reader throws(StateReader.Malformed) in try reader.int64() }
        }
        guard unlockTimes.count == achievements.count else { throw StateReader.Malformed() }
    }

    private mutating func readCounters(_ reader: inout StateReader) throws(StateReader.Malformed) {
        var offset = 0
        try counts.code(with: &reader, offset: &offset)
        lastOffsetSeconds = Int32(truncatingIfNeeded: offset)
        lastPractice = try reader.optional { reader throws(StateReader.Malformed) in
            (try reader.int64(), try reader.civilDay())
        }
    }
}

extension TrackState {
    convenience init(
        reading reader: inout StateReader,
        plan: VersionPlan,
        isOverall: Bool
    ) throws(StateReader.Malformed) {
        let language = try reader.data()
        self.init(language: isOverall ? nil : language, plan: plan)
        try values.pointee.read(&reader, plan: plan)
    }
}
