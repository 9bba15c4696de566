// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The counts that are independent of the rules (docs/numbers.md, "Progress as of an instant"): sessions, minutes,
/// repairs, help, and the numbers of a day.
extension FoldCore {
    /// Adds the event's duration, if the event has one, to the practice time. Called for events outside sessions. The
    /// tracks receive the time at the end of the stretch.
    @inline(never)
    mutating func practise() {
        guard let duration = scratch.integer(.durationMs, columns) else { return }
        counts.practice = saturatingSum(counts.practice ?? 0, duration)
    }

    /// Updates the counts that only a few kinds of events change, and that may differ between tracks.
    @inline(never)
    mutating func countPerTrack(_ track: inout TrackValues) {
        switch event.kind {
        case .sessionStarted: noteStart(&track)
        case .sessionEnded: countSession(&track)
        case .repairMade:
            if case .no? = scratch.value(.helped)?.kind { break }
            track.counts.successfulRepairs += 1
        case .helpGiven: track.counts.helpGiven += 1
        case .teamWon: track.counts.teamWins += 1
        case .levelDeclared:
            if !track.isOverall, let level = scratch.bytes(.level, columns) {
                track.declaredLevel = cefrIndex(level)
            }
        default: break
        }
    }

    private mutating func noteStart(_ track: inout TrackValues) {
        guard let current = track.currentSession else { return }
        if !track.isOverall, let known = overall.pointee.currentSession {
            // The overall track was folded first, and has already stored the start.
            track.sessions[current].started = overall.pointee.sessions[known].started
            return
        }
        track.sessions[current].started = StartedSession(
            startedAt: event.time,
            mode: scratch.bytes(.mode, columns),
            scenario: scratch.bytes(.scenario, columns),
            partner: scratch.bytes(.partner, columns)
        )
    }

    private mutating func countSession(_ track: inout TrackValues) {
        let duration = scratch.integer(.durationMs, columns) ?? track.sessionStart.map { event.time - $0 } ?? 0
        track.counts.sessions += 1
        let mode =
            if let own = scratch.text(.mode, columns) { own.first } else { track.startedSession?.mode?.first }
        switch mode {
        case UInt8(ascii: "h"), UInt8(ascii: "c"): track.counts.multiplayerSessions += 1
        default: track.counts.soloSessions += 1
        }
        track.practise(duration, on: event.day)
    }
}

/// The counts of a stretch's events that are equal in all tracks.
struct StretchCounts {
    var lines = 0
    var reviews = 0
    var correctReviews = 0
    var newWords = 0
    var learnedWords = 0
    /// The practice time in milliseconds, not negative; nil if no event has a duration.
    var practice: Int64?
    /// The time of the latest event that can make a day active, in milliseconds since 1970; nil without such an event.
    var practisedAt: Int64?
}

extension TrackValues {
    mutating func add(_ counts: StretchCounts, on day: LocalDay) {
        if counts.lines | counts.reviews | counts.newWords | counts.learnedWords != 0 {
            enterDay(day)
            today.lines += counts.lines
            today.reviews += counts.reviews
            today.correctReviews += counts.correctReviews
            today.newWords += counts.newWords
            today.learnedWords += counts.learnedWords
        }
        if let practice = counts.practice { practise(practice, on: day) }
        if let practisedAt = counts.practisedAt { lastPractice = (practisedAt, day) }
    }

    fileprivate mutating func practise(_ duration: Int64, on day: LocalDay) {
        counts.practiceMilliseconds = saturatingSum(counts.practiceMilliseconds, duration)
        enterDay(day)
        today.practiceMilliseconds = saturatingSum(today.practiceMilliseconds, duration)
    }
}

/// The sum, clamped to Int64, so that very large durations cannot crash the process.
private func saturatingSum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
}

/// The index of a CEFR level, from 0 for A1 to 5 for C2; nil for other text.
func cefrIndex(_ level: [UInt8]) -> Int? {
    guard level.count == 2 else { return nil }
    return Int(level[0] &- UInt8(ascii: "A")) * 2 + Int(level[1] &- UInt8(ascii: "1"))
}
