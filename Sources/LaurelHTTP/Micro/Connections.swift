// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import Dispatch
internal import LaurelSystem
import Synchronization

/// The open connections, so that slow ones can be ended. The library itself ends only silent ones.
final class Connections: @unchecked Sendable {
    enum Phase {
        /// Between requests, or within a head.
        case head
        case body
        /// The server is at work: the client is not to blame for the time it takes.
        case answer
    }

    private struct Entry {
        var socket: Int32
        var phase = Phase.head
        /// Seconds of a monotonic clock.
        var since: Int
        /// The request on it that waits for an answer.
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
        // The library closes the socket after this. So no socket is ended here that belongs to another connection by
        // then.
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

    /// - Returns: false while the server shuts down: nothing may be suspended then.
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

    /// Whether the client has closed its side and all it sent was read. The library does not notice an end that arrives
    /// together with the last bytes.
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

/// Starts a thread; false if the system refuses.
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
