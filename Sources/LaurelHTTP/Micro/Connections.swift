// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import Dispatch
internal import LaurelSystem
import Synchronization

/// The connections that are open, so that those that take too long can be ended: the library ends silent ones, not slow ones.
final class Connections: @unchecked Sendable {
    enum Phase {
        /// Between requests, or within a head.
        case head
        case body
        /// Whatever it does now, the other side is not to blame.
        case answer
    }

    private struct Entry {
        var socket: Int32
        var phase = Phase.head
        /// Seconds of a clock that only goes on.
        var since: Int
        /// What waits for an answer on it.
        weak var suspended: MicroRequest?
    }

    private struct State {
        var entries: [UInt: Entry] = [:]
        var isStopping = false
    }

    private let limits: MicroHTTPServer.Limits
    private let state = Mutex(State())
    private let didEnd = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    init(_ limits: MicroHTTPServer.Limits) { self.limits = limits }

    func note(_ connection: OpaquePointer, isStarted: Bool) {
        let key = UInt(bitPattern: connection)
        // The library closes the socket after this, so that none is ended here that is another's by then.
        guard isStarted else { return state.withLock { _ = $0.entries.removeValue(forKey: key) } }
        let socket = laurel_http_socket(connection)
        state.withLock { $0.entries[key] = Entry(socket: socket, since: Connections.now) }
    }

    func note(_ connection: OpaquePointer, _ phase: Phase) {
        let key = UInt(bitPattern: connection)
        state.withLock { state in
            state.entries[key]?.phase = phase
            state.entries[key]?.since = Connections.now
        }
    }

    /// - Returns: false where everything is to end, and nothing may be suspended any more.
    func suspend(_ connection: UInt, _ request: MicroRequest) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            state.entries[connection]?.phase = .answer
            state.entries[connection]?.suspended = request
            MHD_suspend_connection(OpaquePointer(bitPattern: connection))
            return true
        }
    }

    func resumeAll() {
        let requests = state.withLock { state in
            state.isStopping = true
            return state.entries.values.compactMap(\.suspended)
        }
        for request in requests { request.giveUp() }
    }

    // MARK: Watching

    func beginToWatch() {
        let thread = laurelThread { [self] in
            while end.wait(timeout: .now() + 1) == .timedOut { endSlow() }
            didEnd.signal()
        }
        if !thread { didEnd.signal() }
    }

    func endToWatch() {
        end.signal()
        didEnd.wait()
    }

    private func endSlow() {
        let now = Connections.now
        state.withLock { state in
            for entry in state.entries.values {
                let limit: Int? =
                    switch entry.phase {
                    // A head may begin at the end of a silence.
                    case .head: limits.silence + limits.headSeconds
                    case .body: limits.bodySeconds
                    case .answer: nil
                    }
                guard let limit else { continue }
                let age = now - entry.since
                if age > limit || (age > 1 && isDeserted(entry.socket)) { shutdown(entry.socket, Int32(SHUT_RDWR)) }
            }
        }
    }

    /// Whether the other side sends no more, and all of it was read: the library does not notice an end that comes together with the
    /// last bytes before it.
    private func isDeserted(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }
}

/// Starts a thread; false where the machine has none to give.
private func laurelThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let box = Unmanaged.passRetained(Body(body))
    var thread = laurel_thread()
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
    }
    guard laurel_thread_start(&thread, run, box.toOpaque()) == 0 else {
        box.release()
        return false
    }
    pthread_detach(thread.handle)
    return true
}
