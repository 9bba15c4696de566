// SPDX-License-Identifier: Apache-2.0

/// The sessions of a track that can still continue.
///
/// A few sessions are searched one by one, many are found by the hash of their id. Sessions that have ended by silence
/// may stay until their number has doubled. A caller that reads or enters a session must check its time.
struct OpenSessions: Sendable {
    private(set) var windows: [SessionWindow] = []
    /// The indexes by id, if there are more than ``fewest``; nil until a session is searched.
    private var places: [[UInt8]: Int]?
    /// The number of sessions at which ended ones are removed.
    private var limit = fewest
    private static let fewest = 16

    init(_ windows: [SessionWindow] = []) { self.windows = windows }

    var count: Int { windows.count }
    var isEmpty: Bool { windows.isEmpty }

    subscript(place: Int) -> SessionWindow {
        get { windows[place] }
        _modify { yield &windows[place] }
    }

    /// The session of an id, newly created if it is unknown or has ended.
    /// - Parameter name: the id, if another list already has it as an array.
    /// - Returns: its index, valid until another session is added or removed.
    /// - Complexity: O(1) on average.
    mutating func place(of id: UnsafeBufferPointer<UInt8>, _ name: [UInt8]?, at time: Int64) -> Int {
        if let place = find(id) {
            if time - windows[place].lastEventAt > sessionGap {
                windows[place] = SessionWindow(id: windows[place].id, lastEventAt: time)
            }
            return place
        }
        if windows.count >= limit { forgetSilent(at: time) }
        windows.append(SessionWindow(id: name ?? Array(id), lastEventAt: time))
        places?[windows[windows.count - 1].id] = windows.count - 1
        return windows.count - 1
    }

    /// The last session moves to the index of the removed one.
    mutating func remove(at place: Int) {
        if places != nil {
            places?[windows[place].id] = nil
            if place < windows.count - 1 { places?[windows[windows.count - 1].id] = place }
        }
        windows.swapAt(place, windows.count - 1)
        windows.removeLast()
    }

    /// Removes all sessions, but keeps the memory.
    mutating func removeAll() {
        windows.removeAll(keepingCapacity: true)
        places = nil
        limit = OpenSessions.fewest
    }

    private mutating func find(_ id: UnsafeBufferPointer<UInt8>) -> Int? {
        guard windows.count > OpenSessions.fewest else { return windows.firstIndex { $0.hasID(id) } }
        if places == nil {
            places = Dictionary(windows.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        }
        return places?[Array(id)]
    }

    /// Removes the sessions that have ended by silence, so that memory stays bounded. They could only start from zero.
    private mutating func forgetSilent(at time: Int64) {
        windows.removeAll { time - $0.lastEventAt > sessionGap }
        places = nil
        limit = max(OpenSessions.fewest, 2 * windows.count)
    }
}
