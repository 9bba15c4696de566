import LaurelEvents
import LaurelRules

/// Step 1: the day, the week and the sessions begin and end.
extension Fold {
    func openWindows(_ track: TrackState, _ columns: EventColumns) {
        if track.events == 0 {
            track.firstEventAt = event.time
        } else {
            if track.lastDay != event.day { clear(.day, track) }
            if track.lastWeek != event.week { clear(.week, track) }
        }
        track.events += 1
        track.lastEventAt = event.time
        track.lastOffsetSeconds = event.local.offset
        track.lastDay = event.day
        track.lastWeek = event.week
        switchSession(track, columns)
        publishStreak(track)
    }

    private func clear(_ window: Window, _ track: TrackState) {
        for slot in track.layout.region(window) {
            track.numbers[slot] = 0
            track.hasValue[slot] = false
        }
        if !track.keyed[window.rawValue].isEmpty { track.keyed[window.rawValue].removeAll() }
        if window == .day {
            for rule in track.awardedToday.indices { track.awardedToday[rule] = 0 }
        }
    }

    /// Makes the event's session the one whose numbers stand in the track's array.
    private func switchSession(_ track: TrackState, _ columns: EventColumns) {
        guard event.session != 0 else {
            leaveSession(track)
            return
        }
        let id = columns.text(event.session)
        if let current = track.currentSession, track.sessions[current].hasID(id),
            event.time - track.sessions[current].lastEventAt <= sessionGap
        {
            track.sessions[current].lastEventAt = event.time
            return
        }
        leaveSession(track)
        // Whatever has been silent for longer can only begin afresh: forget it, so that memory stays bounded.
        track.sessions.removeAll { event.time - $0.lastEventAt > sessionGap }
        if let known = track.sessions.firstIndex(where: { $0.hasID(id) }) {
            track.sessions[known].lastEventAt = event.time
            enter(known, track)
        } else {
            enter(newSession(track, Array(id)), track)
        }
    }

    private func newSession(_ track: TrackState, _ id: [UInt8]) -> Int {
        track.sessions.append(SessionWindow(id: id, lastEventAt: event.time, stride: track.layout.stride))
        return track.sessions.count - 1
    }

    private func enter(_ index: Int, _ track: TrackState) {
        track.currentSession = index
        let region = track.layout.region(.session)
        for offset in 0..<region.count {
            track.numbers[region.lowerBound + offset] = track.sessions[index].numbers[offset]
            track.hasValue[region.lowerBound + offset] = track.sessions[index].hasValue[offset]
        }
        swap(&track.keyed[Window.session.rawValue], &track.sessions[index].keyed)
    }

    /// Puts the current session's numbers back; until the next session, expressions see zeros.
    func leaveSession(_ track: TrackState) {
        guard let current = track.currentSession else { return }
        track.currentSession = nil
        let region = track.layout.region(.session)
        for offset in 0..<region.count {
            track.sessions[current].numbers[offset] = track.numbers[region.lowerBound + offset]
            track.sessions[current].hasValue[offset] = track.hasValue[region.lowerBound + offset]
            track.numbers[region.lowerBound + offset] = 0
            track.hasValue[region.lowerBound + offset] = false
        }
        swap(&track.keyed[Window.session.rawValue], &track.sessions[current].keyed)
    }

    /// After its `session.ended` a session is over.
    func closeSession(_ track: TrackState) {
        guard let current = track.currentSession else { return }
        leaveSession(track)
        track.sessions.remove(at: current)
    }

    /// What is absent in `session.ended` is taken from the session's `session.started`.
    func borrowFromStart(_ track: TrackState, _ typePlan: TypePlan) {
        let started = track.currentSession.flatMap { track.sessions[$0].started }
        for load in typePlan.loads {
            switch load.role {
            case .mode: fill(load, .mode, started?.mode)
            case .scenario: fill(load, .scenario, started?.scenario)
            case .partner: fill(load, .partner, started?.partner)
            case .durationMs:
                guard scratch.value(.durationMs) == nil else { continue }
                scratch.numbers[load.slot] = started.map { Double(event.time - $0.startedAt) } ?? .nan
            default: continue
            }
        }
    }

    private func fill(_ load: FieldLoad, _ role: FieldRole, _ text: [UInt8]?) {
        guard scratch.value(role) == nil else { return }
        scratch.texts[load.slot] = text.map(scratch.borrow) ?? TextSlice()
    }
}

/// A session is over when its next event comes later than this after its last, in milliseconds.
let sessionGap: Int64 = 86_400_000

extension SessionWindow {
    func hasID(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        self.id.count == id.count && self.id.elementsEqual(id)
    }

    init(id: [UInt8], lastEventAt: Int64, stride: Int) {
        self.id = id
        self.lastEventAt = lastEventAt
        numbers = Array(repeating: 0, count: stride)
        hasValue = Array(repeating: false, count: stride)
    }
}
