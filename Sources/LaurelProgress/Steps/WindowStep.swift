// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Step 1: begins and ends days, weeks and sessions.
extension FoldCore {
    mutating func openWindows(_ track: inout TrackValues) {
        if let keys = track.windowKeys {
            if keys != event.windowKeys { beginWindows(&track, after: keys) }
        } else {
            track.counts.firstEventAt = event.time
        }
        track.lastOffsetSeconds = event.local.offset
        track.lastClockSource = days.source
        track.windowKeys = event.windowKeys
        switchSession(&track)
        publishStreak(&track)
    }

    /// Begins each window of the calendar whose key has changed.
    @inline(never)
    private mutating func beginWindows(_ track: inout TrackValues, after keys: WindowKeys) {
        for window in plan.calendarWindows where keys[window] != event.windowKeys[window] {
            track.clear(window)
            track.changes.insert(window.change)
        }
        guard keys.day != event.windowKeys.day else { return }
        for rule in track.awardedToday.indices { track.awardedToday[rule] = 0 }
    }

    /// Makes the event's session the current session, so that the track's `numbers` contain the session's numbers.
    @inline(__always)
    private mutating func switchSession(_ track: inout TrackValues) {
        guard event.session != 0 else {
            if track.currentSession != nil { track.leaveSession() }
            return
        }
        if let current = track.currentSession,
            track.currentSessionKey == event.sessionKey || track.sessions[current].hasID(columns.bytes(event.session)),
            event.time - track.currentSessionAt <= sessionGap
        {
            track.currentSessionKey = event.sessionKey
            return
        }
        enterSession(&track, columns.bytes(event.session))
    }

    @inline(never)
    private mutating func enterSession(_ track: inout TrackValues, _ id: UnsafeBufferPointer<UInt8>) {
        if track.currentSession != nil { track.leaveSession() }
        // The overall track was folded first, so it already has the session's id as an array.
        let name =
            track.isOverall ? nil : overall.pointee.currentSession.map { overall.pointee.sessions.windows[$0].id }
        track.enterSession(track.sessions.index(of: id, name, at: event.time))
        track.currentSessionKey = event.sessionKey
    }

    /// Ends the current session after its `session.ended` event.
    mutating func closeSession(_ track: inout TrackValues) {
        guard let current = track.currentSession else { return }
        track.clearSession()
        track.sessions.remove(at: current)
    }

    /// Copies fields that `session.ended` lacks from the session's `session.started`.
    mutating func borrowFromStart(_ track: inout TrackValues) {
        for load in typePlan.pointee.textLoads {
            guard let role = load.role, role.isTakenFromStart, scratch.value(role) == nil else { continue }
            scratch.texts[load.slot] = track.startedSession?.text(role).map { scratch.borrow($0) } ?? TextSlice()
        }
        guard scratch.value(.durationMs) == nil else { return }
        for load in typePlan.pointee.numberLoads where load.role == .durationMs {
            scratch.numbers[load.slot] = track.sessionStart.map { Double(event.time - $0) } ?? .nan
        }
    }
}

/// The numbers of a track's windows.
extension TrackValues {
    /// Resets the numbers of a window.
    mutating func clear(_ window: Window) {
        let start = layout.start(of: window)
        (numbers + start).update(repeating: 0, count: layout.stride)
        (hasValue + start).update(repeating: false, count: layout.stride)
        for index in keyedMetrics.indices { keyed[window.rawValue][index].removeAll() }
    }

    /// Copies a session's numbers into the track's array. The array must not contain another session's numbers.
    mutating func enterSession(_ index: Int) {
        currentSession = index
        changes.insert(.session)
        guard let values = sessions[index].values else { return }
        sessions[index].values = nil
        (numbers + layout.session).update(from: values.numbers, count: layout.stride)
        (hasValue + layout.session).update(from: values.hasValue, count: layout.stride)
        keyed[Window.session.rawValue] = values.keyed
    }

    /// Copies the current session's numbers from the array to the list of sessions. Until the next session, expressions
    /// read zeros.
    mutating func leaveSession() {
        guard let current = currentSession else { return }
        sessions[current].lastEventAt = currentSessionAt
        sessions[current].values = sessionValues
        clearSession()
    }

    /// The fields of the current session's `session.started`; nil if there was none.
    var startedSession: StartedSession? { currentSession.flatMap { sessions.windows[$0].started } }

    /// True if the current sessions of both tracks have equal fields from `session.started`.
    mutating func hasSameStart(as other: UnsafePointer<TrackValues>) -> Bool {
        guard let index = currentSession, let otherIndex = other.pointee.currentSession else { return true }
        return sessions.windows[index].started == other.pointee.sessions.windows[otherIndex].started
    }

    /// The start of the current session, in milliseconds since 1970; nil if there was no `session.started`.
    var sessionStart: Int64? { currentSession.flatMap { sessions.windows[$0].started?.startedAt } }

    /// The values in the current session's window.
    var sessionValues: SessionWindow.Values {
        SessionWindow.Values(
            numbers: Array(UnsafeBufferPointer(start: numbers + layout.session, count: layout.stride)),
            hasValue: Array(UnsafeBufferPointer(start: hasValue + layout.session, count: layout.stride)),
            keyed: keyed[Window.session.rawValue]
        )
    }

    /// Leaves the track without a current session, and resets the session's window.
    mutating func clearSession() {
        currentSession = nil
        currentSessionKey = 0
        clear(.session)
        changes.insert(.session)
    }
}
