import LaurelEvents
import LaurelRules

/// A learner's state as bytes: what snapshots hold and fingerprints hash. Equal states give equal bytes.
extension LearnerState {
    package func encoded() -> [UInt8] {
        var writer = StateWriter()
        write(to: &writer)
        return writer.bytes
    }

    fileprivate func write(to writer: inout StateWriter) {
        writer.write(StateFormat.version)
        writer.write(profile)
        writer.write(voids.retracted)
        writer.write(voids.discardedSessions)
        var languages = vocabularies
        if languages.count > 1 { languages.sort { $0.language.lexicographicallyPrecedes($1.language) } }
        writer.write(list: languages) { $0.write($1) }
        writer.write(list: tracksInOrder) { $1.values.pointee.write(to: &$0) }
        writer.write(optional: position) { writer, position in
            writer.write(position.milliseconds)
            writer.write(position.source)
            writer.write(position.id)
        }
    }

    /// The state that ``encoded()`` gave under the same rules, or nil where the bytes are not such.
    package convenience init?(decoding bytes: [UInt8], plan: FoldPlan) {
        self.init(plan: plan)
        var reader = StateReader(bytes)
        do throws(StateReader.Malformed) {
            guard try reader.unsigned() == StateFormat.version else { return nil }
            profile = try reader.profile()
            voids.retracted = try reader.keyedValues()
            voids.discardedSessions = try reader.keyedValues()
            vocabularies = try reader.list { reader throws(StateReader.Malformed) in try reader.vocabulary() }
            let count = try reader.count()
            tracks = []
            for _ in 0..<count {
                tracks.append(try TrackState(reading: &reader, plan: plan, isOverall: tracks.isEmpty))
            }
            position = try reader.optional { reader throws(StateReader.Malformed) in
                EventPosition(milliseconds: try reader.int64(), source: try reader.data(), id: try reader.data())
            }
            guard reader.isAtEnd, !tracks.isEmpty else { return nil }
        } catch {
            return nil
        }
    }

    /// Hash of all of the learner's progress state.
    package var fingerprint: [UInt8] { Fingerprinter().fingerprint(of: self) }
}

/// Hashes one state after another. Not for two threads at once.
package final class Fingerprinter {
    private var writer = StateWriter()

    package init() {}

    /// See ``LearnerState/fingerprint``.
    package func fingerprint(of state: LearnerState) -> [UInt8] {
        writer.removeAll()
        state.write(to: &writer)
        return writer.withBytes { SHA256.hash($0) }
    }
}

enum StateFormat {
    /// Raised whenever the bytes, or what the fold makes of events, change: older snapshots are then built again.
    static let version: UInt64 = 3
}

extension TrackValues {
    /// Changes nothing; `mutating` for the reason given at ``FoldCore``.
    mutating func write(to writer: inout StateWriter) {
        writer.write(language ?? [])
        writeNumbers(to: &writer)
        writer.write(keyed[Window.total.rawValue], keyedMetrics)
        writer.write(keyed[Window.day.rawValue], keyedMetrics)
        writer.write(keyed[Window.week.rawValue], keyedMetrics)
        writer.write(list: sessions.isEmpty ? [] : runningSessions()) { $0.write($1, keyedMetrics) }
        writer.write(streak.active)
        writer.write(streak.frozen)
        writer.write(list: achievements) { $0.write($1) }
        writer.write(list: xpByBucket) { $0.write($1) }
        writer.write(list: awardedToday) { $0.write($1) }
        writer.write(days)
        writeCounters(to: &writer)
        writer.write(optional: lastDay) { $0.write(Int($1.number)) }
        writer.write(optional: lastWeek) { $0.write(Int($1.number)) }
        writer.write(optional: declaredLevel) { $0.write($1) }
    }

    /// The numbers of all windows but the session's, and what stands behind the windows.
    private func writeNumbers(to writer: inout StateWriter) {
        let session = layout.sessionRegion
        writer.write(UnsafeBufferPointer(start: numbers, count: session.lowerBound))
        let rest = UnsafeBufferPointer(start: numbers + session.upperBound, count: layout.count - session.upperBound)
        writer.write(rest)
        writer.write(flags: UnsafeBufferPointer(start: hasValue, count: session.lowerBound))
        let flagsLeft = layout.windowCount - session.upperBound
        writer.write(flags: UnsafeBufferPointer(start: hasValue + session.upperBound, count: flagsLeft))
    }

    /// The sessions that can still run on, the current one with its present numbers, by their ids.
    private func runningSessions() -> [SessionWindow] {
        var sessions = sessions
        if let currentSession { sessions[currentSession].values = sessionValues }
        return sessions.filter { lastEventAt - $0.lastEventAt <= sessionGap }
            .sorted { $0.id.lexicographicallyPrecedes($1.id) }
    }

    private func writeCounters(to writer: inout StateWriter) {
        writer.write(words.known)
        writer.write(words.learned)
        writer.write(words.new)
        writer.write(words.learning)
        writer.write(words.reviewing)
        writer.write(words.mastered)
        writer.write(events)
        writer.write(firstEventAt)
        writer.write(lastEventAt)
        writer.write(Int(lastOffsetSeconds))
        writer.write(endedSessions)
        writer.write(soloSessions)
        writer.write(multiplayerSessions)
        writer.write(practiceMilliseconds)
        writer.write(successfulRepairs)
        writer.write(helpGiven)
        writer.write(teamWins)
    }

    /// Takes over the values of a track whose language was read before.
    fileprivate mutating func read(_ reader: inout StateReader, plan: FoldPlan) throws(StateReader.Malformed) {
        let session = layout.sessionRegion
        for slot in 0..<layout.count where !session.contains(slot) { numbers[slot] = try reader.double() }
        for slot in 0..<layout.windowCount where !session.contains(slot) { hasValue[slot] = try reader.double() == 1 }
        for window in [Window.total, .day, .week] {
            keyed[window.rawValue] = try reader.keyed(plan.keyedMetrics)
        }
        let stride = layout.stride
        sessions = try reader.list { reader throws(StateReader.Malformed) in
            try reader.session(stride: stride, plan.keyedMetrics)
        }
        let active = try reader.daySet()
        let frozen = try reader.daySet()
        if let terms = plan.streakTerms { streak = Streak(active: active, frozen: frozen, terms: terms) }
        try reader.list(into: achievements) { reader throws(StateReader.Malformed) in try reader.achievement() }
        try reader.list(into: xpByBucket) { reader throws(StateReader.Malformed) in try reader.double() }
        try reader.list(into: awardedToday) { reader throws(StateReader.Malformed) in try reader.double() }
        days = try reader.days()
        try readCounters(&reader)
        lastDay = try reader.optional { reader throws(StateReader.Malformed) in try reader.civilDay() }
        lastWeek = try reader.optional { reader throws(StateReader.Malformed) in try reader.civilDay() }
        declaredLevel = try reader.optional { reader throws(StateReader.Malformed) in try reader.int() }
    }

    private mutating func readCounters(_ reader: inout StateReader) throws(StateReader.Malformed) {
        words.known = try reader.int()
        words.learned = try reader.int()
        words.new = try reader.int()
        words.learning = try reader.int()
        words.reviewing = try reader.int()
        words.mastered = try reader.int()
        events = try reader.int()
        firstEventAt = try reader.int64()
        lastEventAt = try reader.int64()
        lastOffsetSeconds = Int32(truncatingIfNeeded: try reader.int64())
        endedSessions = try reader.int()
        soloSessions = try reader.int()
        multiplayerSessions = try reader.int()
        practiceMilliseconds = try reader.int64()
        successfulRepairs = try reader.int()
        helpGiven = try reader.int()
        teamWins = try reader.int()
    }
}

extension TrackState {
    convenience init(
        reading reader: inout StateReader,
        plan: FoldPlan,
        isOverall: Bool
    ) throws(StateReader.Malformed) {
        let language = try reader.data()
        self.init(language: isOverall ? nil : language, plan: plan)
        try values.pointee.read(&reader, plan: plan)
    }
}
