// SPDX-License-Identifier: Apache-2.0

public import Dispatch
import Synchronization

/// A response body that any thread writes, piece by piece. It is sent as fast as the client reads.
public final class HTTPBodyStream: Sendable {
    private struct State {
        var pieces: [UInt8] = []
        /// The number of bytes of ``pieces`` that were already sent.
        var sent = 0
        var isEnded = false
        /// True if the stream ended incompletely.
        var isAborted = false
        var isClosed = false
        /// Wakes the sender; set while the sender waits for data.
        var wake: (@Sendable () -> Void)?
        var onClose: (@Sendable () -> Void)?
        var waiting = 0

        var unsent: Int { pieces.count - sent }
    }

    private let state = Mutex(State())
    /// Signalled when the buffer has room again.
    private let room = DispatchSemaphore(value: 0)
    /// The maximum number of bytes that may wait to be sent.
    public let limit: Int
    /// True for a stream that stays open and sends a message from time to time. It ends when its connection ends.
    public let isLive: Bool

    public init(limit: Int = 256 << 10, isLive: Bool = false) { (self.limit, self.isLive) = (limit, isLive) }

    /// True if the client has disconnected.
    public var isClosed: Bool { state.withLock { $0.isClosed } }
    /// True if nothing more will be written.
    public var isEnded: Bool { state.withLock { $0.isEnded || $0.isClosed } }
    /// True if the body ended incompletely.
    public var isAborted: Bool { state.withLock { $0.isAborted } }
    /// The number of bytes that wait to be sent.
    public var backlog: Int { state.withLock { $0.unsent } }

    /// Sets a function that is called once when the client disconnects, on the thread that notices the disconnection.
    /// If the client has disconnected already, the function is called at once.
    public func onClose(_ body: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.onClose = body }
            return state.isClosed
        }
        if isClosed { body() }
    }

    /// Adds bytes to the body.
    /// - Returns: false if the client has disconnected, or reads so slowly that the buffer is full. The stream then
    ///   ends.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Bool {
        let (wake, hasRoom) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            guard !state.isClosed, !state.isEnded else { return (nil, false) }
            guard state.unsent + bytes.count <= limit else {
                // The buffer is emptied. So a client that does not read uses no memory.
                (state.isEnded, state.isAborted) = (true, true)
                (state.pieces, state.sent) = ([], 0)
                return (state.wake.take(), false)
            }
            state.pieces += bytes
            return (state.wake.take(), true)
        }
        wake?()
        return hasRoom
    }

    /// Adds bytes to the body. The calling thread waits until the buffer has room.
    /// - Returns: false if the client has disconnected, or has read nothing for `patience`.
    public func writeWaiting(_ bytes: [UInt8], patience: DispatchTimeInterval = .seconds(30)) -> Bool {
        while true {
            let isFull = state.withLock { state in
                let isFull =
                    !state.isClosed && !state.isEnded && state.unsent > 0
                    && state.unsent + bytes.count > limit
                if isFull { state.waiting += 1 }
                return isFull
            }
            guard isFull else { break }
            if room.wait(timeout: .now() + patience) == .timedOut {
                abort()
                return false
            }
        }
        let (wake, isOpen) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            guard !state.isClosed, !state.isEnded else { return (nil, false) }
            state.pieces += bytes
            return (state.wake.take(), true)
        }
        wake?()
        return isOpen
    }

    /// Ends the body as complete.
    public func end() { end(isComplete: true) }

    /// Ends the body as incomplete. The client sees that the transfer failed, and does not mistake the received part
    /// for the whole body.
    public func abort() { end(isComplete: false) }

    private func end(isComplete: Bool) {
        let wake = state.withLock { state in
            if !isComplete, !state.isEnded { state.isAborted = true }
            state.isEnded = true
            return state.wake.take()
        }
        wake?()
    }

    // MARK: Sending

    enum Step: Equatable {
        case sent(Int)
        case end, aborted
        /// No bytes can be sent yet. `suspend` was called; `wake` will be called when there are bytes.
        case nothingYet
    }

    /// Reads the next bytes to send.
    /// - Parameters:
    ///   - suspend: called if there are no bytes to send, before `wake` can be called.
    ///   - wake: called once, when there are bytes to send or the body has ended.
    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        suspend: () -> Void,
        wake: @escaping @Sendable () -> Void
    ) -> Step {
        let (step, freed) = state.withLock { state -> (Step, Int) in
            guard state.unsent > 0 else {
                if state.isEnded || state.isClosed { return (state.isAborted ? .aborted : .end, 0) }
                suspend()
                state.wake = wake
                return (.nothingYet, 0)
            }
            let count = min(buffer.count, state.unsent)
            state.pieces.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[state.sent..<state.sent + count]))
            }
            state.sent += count
            if state.sent == state.pieces.count { (state.pieces, state.sent) = ([], 0) }
            defer { state.waiting = 0 }
            return (.sent(count), state.waiting)
        }
        for _ in 0..<freed { room.signal() }
        return step
    }

    /// Records that the client has disconnected, and calls the function set by ``onClose(_:)``.
    func close() {
        let (body, waiting) = state.withLock { state in
            state.isClosed = true
            (state.pieces, state.sent, state.wake) = ([], 0, nil)
            defer { state.waiting = 0 }
            return (state.onClose.take(), state.waiting)
        }
        for _ in 0..<waiting { room.signal() }
        body?()
    }
}
