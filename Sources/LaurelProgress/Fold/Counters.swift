import LaurelEvents

/// The numbers of section 8 that no rule defines: sessions, minutes, repairs, help, what a day held.
extension FoldCore {
    /// What every track of the event counts: found out once.
    @inline(__always)
    mutating func countOnce(_ columns: EventColumns) {
        counts = EventCounts()
        switch event.kind {
        case .lineSpoken: counts.lines = 1
        case .reviewGraded:
            counts.reviews = 1
            if scratch.text(.grade, columns)?.first != UInt8(ascii: "a") { counts.correctReviews = 1 }
        case .conversationEnded: break
        default: return
        }
        // What was practised outside sessions, as long as the event says.
        if event.session == 0 { counts.practice = scratch.integer(.durationMs, columns) }
    }

    @inline(__always)
    mutating func count(_ track: inout TrackValues, _ columns: EventColumns) {
        if counts.lines | counts.reviews != 0 {
            track.enterDay(event.day)
            track.today.lines &+= counts.lines
            track.today.reviews &+= counts.reviews
            track.today.correctReviews &+= counts.correctReviews
        } else {
            countOthers(&track, columns)
        }
        if let practice = counts.practice { practise(&track, practice) }
        if event.word.isNew || event.word.learnedNow { countWord(&track) }
    }

    @inline(never)
    private mutating func countOthers(_ track: inout TrackValues, _ columns: EventColumns) {
        switch event.kind {
        case .sessionStarted: noteStart(&track, columns)
        case .sessionEnded: countSession(&track, columns)
        case .repairMade:
            if case .no? = scratch.value(.helped)?.kind { break }
            track.successfulRepairs += 1
        case .helpGiven: track.helpGiven += 1
        case .teamWon: track.teamWins += 1
        case .levelDeclared:
            if !track.isOverall, let level = scratch.bytes(.level, columns) {
                track.declaredLevel = cefrIndex(level)
            }
        default: break
        }
    }

    private mutating func countWord(_ track: inout TrackValues) {
        track.enterDay(event.day)
        if event.word.isNew { track.today.newWords += 1 }
        if event.word.learnedNow { track.today.learnedWords += 1 }
    }

    private mutating func noteStart(_ track: inout TrackValues, _ columns: EventColumns) {
        guard let current = track.currentSession else { return }
        track.sessions[current].started = StartedSession(
            startedAt: event.time,
            mode: scratch.bytes(.mode, columns),
            scenario: scratch.bytes(.scenario, columns),
            partner: scratch.bytes(.partner, columns)
        )
    }

    private mutating func countSession(_ track: inout TrackValues, _ columns: EventColumns) {
        let started = track.currentSession.flatMap { track.sessions[$0].started }
        let duration = scratch.integer(.durationMs, columns) ?? started.map { event.time - $0.startedAt } ?? 0
        track.endedSessions += 1
        let mode = if let own = scratch.text(.mode, columns) { own.first } else { started?.mode?.first }
        switch mode {
        case UInt8(ascii: "h"), UInt8(ascii: "c"): track.multiplayerSessions += 1
        default: track.soloSessions += 1
        }
        practise(&track, duration)
    }

    private mutating func practise(_ track: inout TrackValues, _ duration: Int64) {
        track.practiceMilliseconds = saturatingSum(track.practiceMilliseconds, duration)
        track.enterDay(event.day)
        track.today.practiceMilliseconds = saturatingSum(track.today.practiceMilliseconds, duration)
    }
}

/// What of an event its tracks count alike.
struct EventCounts {
    var lines = 0
    var reviews = 0
    var correctReviews = 0
    /// Milliseconds; nil where the event does not say.
    var practice: Int64?
}

/// No sum of durations, however absurd, ends the process.
private func saturatingSum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
}

/// 0 for A1 … 5 for C2.
func cefrIndex(_ level: [UInt8]) -> Int? {
    guard level.count == 2 else { return nil }
    return Int(level[0] &- UInt8(ascii: "A")) * 2 + Int(level[1] &- UInt8(ascii: "1"))
}
