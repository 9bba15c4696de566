import LaurelEvents

/// The numbers of section 8 that no rule defines: sessions, minutes, repairs, help, what a day held.
extension Fold {
    func count(_ track: TrackState, _ table: EventTable, _ columns: EventColumns) {
        switch event.kind {
        case .sessionStarted: noteStart(track, table)
        case .sessionEnded: countSession(track, table)
        case .lineSpoken: track.days[track.dayIndex(event.day)].lines += 1
        case .reviewGraded: countReview(track, columns)
        case .repairMade:
            if scratch.value(.helped)?.kind != .no { track.successfulRepairs += 1 }
        case .helpGiven: track.helpGiven += 1
        case .teamWon: track.teamWins += 1
        case .levelDeclared:
            if track.language != nil, let level = scratch.bytes(.level, table) {
                track.declaredLevel = cefrIndex(level)
            }
        default: break
        }
        if event.word.isNew { track.days[track.dayIndex(event.day)].newWords += 1 }
        if event.word.learnedNow { track.days[track.dayIndex(event.day)].learnedWords += 1 }
    }

    private func noteStart(_ track: TrackState, _ table: EventTable) {
        guard let current = track.currentSession else { return }
        track.sessions[current].started = StartedSession(
            startedAt: event.time, mode: scratch.bytes(.mode, table), scenario: scratch.bytes(.scenario, table),
            partner: scratch.bytes(.partner, table))
    }

    private func countSession(_ track: TrackState, _ table: EventTable) {
        let started = track.currentSession.flatMap { track.sessions[$0].started }
        let duration = scratch.integer(.durationMs, table) ?? started.map { event.time - $0.startedAt } ?? 0
        track.endedSessions += 1
        switch (scratch.bytes(.mode, table) ?? started?.mode)?.first {
        case UInt8(ascii: "h"), UInt8(ascii: "c"): track.multiplayerSessions += 1
        default: track.soloSessions += 1
        }
        track.practiceMilliseconds = saturatingSum(track.practiceMilliseconds, duration)
        let day = track.dayIndex(event.day)
        track.days[day].practiceMilliseconds = saturatingSum(track.days[day].practiceMilliseconds, duration)
    }

    private func countReview(_ track: TrackState, _ columns: EventColumns) {
        let day = track.dayIndex(event.day)
        track.days[day].reviews += 1
        if scratch.initial(.grade, columns) != UInt8(ascii: "a") { track.days[day].correctReviews += 1 }
    }
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
