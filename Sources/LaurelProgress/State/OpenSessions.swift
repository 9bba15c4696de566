// SPDX-License-Identifier: Apache-2.0

/// The sessions of a track that can still go on.
///
/// Found by a search while they are few, by their ids' hashes once they are many. Those that have been silent for too long
/// may stay until there are twice as many; whoever reads or enters one must look at its time.
struct OpenSessions: Sendable {
    private(set) var windows: [SessionWindow] = []
    /// By id, where there are more than ``fewest``; nil until one is looked for.
    private var places: [[UInt8]: Int]?
    /// How many there may be before those that are over are forgotten.
    private var limit = fewest
    private static let fewest = 16

    init(_ windows: [SessionWindow] = []) { self.windows = windows }

    var count: Int { windows.count }
    var isEmpty: Bool { windows.isEmpty }

    subscript(place: Int) -> SessionWindow {
        get { windows[place] }
        _modify { yield &windows[place] }
    }

    /// The session of an id, afresh where it is not known or over.
    /// - Parameter name: the id, where another list has it.
    /// - Returns: its place, good until another session is added or removed.
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

    /// Another session takes the place of the removed one.
    mutating func remove(at place: Int) {
        if places != nil {
            places?[windows[place].id] = nil
            if place < windows.count - 1 { places?[windows[windows.count - 1].id] = place }
        }
        windows.swapAt(place, windows.count - 1)
        windows.removeLast()
    }

    /// Keeps its memory.
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

    /// Whatever has been silent for too long can only begin afresh: forgotten, so that memory stays bounded.
    private mutating func forgetSilent(at time: Int64) {
        windows.removeAll { time - $0.lastEventAt > sessionGap }
        places = nil
        limit = max(OpenSessions.fewest, 2 * windows.count)
    }
}
