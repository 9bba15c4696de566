// SPDX-License-Identifier: Apache-2.0

/// The sessions of a track that can still continue.
///
/// A short list is searched from start to end, a long list through a dictionary from id to index. A session ends if
/// ``sessionGap`` passes without an event, but the session may stay in the list until ended sessions are next removed.
/// A caller that reads or enters a session must therefore check the time of the session's last event.
struct OpenSessions: Sendable {
    private(set) var windows: [SessionWindow] = []
    /// The indexes by id, used if there are more than ``fewest`` sessions; nil until the first search.
    private var indexes: [[UInt8]: Int]?
    /// The number of sessions at which ended sessions are removed.
    private var limit = fewest
    private static let fewest = 16

    init(_ windows: [SessionWindow] = []) { self.windows = windows }

    var count: Int { windows.count }
    var isEmpty: Bool { windows.isEmpty }

    subscript(index: Int) -> SessionWindow {
        get { windows[index] }
        _modify { yield &windows[index] }
    }

    /// Returns the session with an id. A new session is created if the list has no session with the id, or if that
    /// session has ended.
    /// - Parameter name: the id as an array if the caller already has one; else nil.
    /// - Returns: the session's index, valid until another session is added or removed.
    /// - Complexity: O(1) on average.
    mutating func index(of id: UnsafeBufferPointer<UInt8>, _ name: [UInt8]?, at time: Int64) -> Int {
        if let index = find(id) {
            if time - windows[index].lastEventAt > sessionGap {
                windows[index] = SessionWindow(id: windows[index].id, lastEventAt: time)
            }
            return index
        }
        if windows.count >= limit { forgetSilent(at: time) }
        windows.append(SessionWindow(id: name ?? Array(id), lastEventAt: time))
        indexes?[windows[windows.count - 1].id] = windows.count - 1
        return windows.count - 1
    }

    /// Removes a session, and moves the last session to its index.
    mutating func remove(at index: Int) {
        if indexes != nil {
            indexes?[windows[index].id] = nil
            if index < windows.count - 1 { indexes?[windows[windows.count - 1].id] = index }
        }
        windows.swapAt(index, windows.count - 1)
        windows.removeLast()
    }

    /// Removes all sessions, but does not free the memory.
    mutating func removeAll() {
        windows.removeAll(keepingCapacity: true)
        indexes = nil
        limit = OpenSessions.fewest
    }

    private mutating func find(_ id: UnsafeBufferPointer<UInt8>) -> Int? {
        guard windows.count > OpenSessions.fewest else { return windows.firstIndex { $0.hasID(id) } }
        if indexes == nil {
            indexes = Dictionary(windows.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        }
        return indexes?[Array(id)]
    }

    /// Removes the sessions whose last event is too old, so that memory stays bounded. A later event with the same id
    /// starts a new session anyway.
    private mutating func forgetSilent(at time: Int64) {
        windows.removeAll { time - $0.lastEventAt > sessionGap }
        indexes = nil
        limit = max(OpenSessions.fewest, 2 * windows.count)
    }
}
