// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import Dispatch
internal import LaurelSystem
import Synchronization

/// An open connection.
final class Connection: Sendable {
    enum Phase {
        /// The server waits for a request, or for the rest of a request's head.
        case head
        case body
        /// The server is computing the answer. This phase has no time limit, because a delay is not the client's
        /// fault.
        case answer
    }

    private struct State {
        var phase = Phase.head
        /// The start of the phase, in seconds of a monotonic clock.
        var since = MonotonicClock.seconds
        /// The seconds spent on receiving the body so far, and the number of bytes received.
        var bodySeconds = 0
        var bodyBytes = 0
        /// The request that waits for an answer.
        var suspended: MicroRequest?
        var isStopping: Bool
    }

    private let socket: Int32
    let peer: PeerAddress
    private let daemon: Daemon
    private let state: Mutex<State>

    fileprivate init(_ socket: Int32, of daemon: Daemon, isStopping: Bool) {
        (self.socket, self.daemon) = (socket, daemon)
        peer = PeerAddress(socket: socket)
        state = Mutex(State(isStopping: isStopping))
    }

    /// The object of a connection of the library; nil if there is none.
    static func of(_ connection: OpaquePointer) -> Connection? {
        laurel_http_known(connection).map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Records the beginning of a phase.
    /// - Parameter bytes: the number of body bytes that have just arrived.
    func note(_ phase: Phase, bytes: Int = 0) {
        state.withLock { state in
            let now = MonotonicClock.seconds
            if state.phase == .body { state.bodySeconds += now - state.since }
            if phase == .head { (state.suspended, state.bodySeconds, state.bodyBytes) = (nil, 0, 0) }
            (state.phase, state.since) = (phase, now)
            state.bodyBytes += bytes
        }
    }

    /// Suspends a request.
    /// - Returns: false while the server shuts down, when suspending is not allowed.
    func suspend(_ connection: OpaquePointer, _ request: MicroRequest) -> Bool {
        state.withLock { state in
            guard !state.isStopping else { return false }
            if state.phase == .body { state.bodySeconds += MonotonicClock.seconds - state.since }
            (state.phase, state.suspended) = (.answer, request)
            MHD_suspend_connection(connection)
            return true
        }
    }

    /// Resumes the suspended request.
    func resume(_ connection: OpaquePointer) {
        MHD_resume_connection(connection)
        daemon.signal()
    }

    fileprivate func stop() {
        let request = state.withLock { state in
            state.isStopping = true
            return state.suspended
        }
        request?.shutDown()
    }

    fileprivate func endIfSlow(_ limits: MicroHTTPServer.Limits, at now: Int) {
        let (phase, since, isCrawling) = state.withLock { state in
            let seconds = state.bodySeconds + now - state.since
            let isLate = seconds > limits.bodySeconds
            return (state.phase, state.since, isLate && state.bodyBytes / max(1, seconds) < limits.leastBodyRate)
        }
        let limit: Int? =
            switch phase {
            // A client may begin a head at the end of the permitted silence. So the two limits are added.
            case .head: limits.silence + limits.headSeconds
            case .body: limits.bodySeconds
            case .answer: nil
            }
        guard let limit else { return }
        let age = now - since
        if age > limit || (phase == .body && isCrawling) || (age > 1 && isDeserted) {
            shutdown(socket, Int32(SHUT_RDWR))
        }
    }

    /// True if the client has closed its side of the connection, and all its bytes were read. The library does not
    /// notice this if the end arrives together with the last bytes.
    private var isDeserted: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
}

/// The open connections, and a thread that ends the connections of slow clients. The library itself only ends
/// connections on which no bytes arrive.
final class Connections: Sendable {
    private struct State {
        var all: [ObjectIdentifier: Connection] = [:]
        var isStopping = false
    }

    private let limits: MicroHTTPServer.Limits
    private let state = Mutex(State())
    private let didEnd = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    init(_ limits: MicroHTTPServer.Limits) { self.limits = limits }

    /// Adds a connection.
    /// - Returns: the pointer that the library stores with its connection.
    func begin(_ connection: OpaquePointer, of daemon: Daemon) -> UnsafeMutableRawPointer {
        let socket = laurel_http_socket(connection)
        let new = state.withLock { state in
            let new = Connection(socket, of: daemon, isStopping: state.isStopping)
            state.all[ObjectIdentifier(new)] = new
            return new
        }
        return Unmanaged.passRetained(new).toOpaque()
    }

    /// Removes a connection. Must be called before the library closes the socket. Otherwise a new connection with the
    /// same descriptor could be ended instead.
    func end(_ known: UnsafeMutableRawPointer) {
        let connection = Unmanaged<Connection>.fromOpaque(known).takeRetainedValue()
        state.withLock { _ = $0.all.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    func resumeAll() {
        let all = state.withLock { state in
            state.isStopping = true
            return Array(state.all.values)
        }
        for connection in all { connection.stop() }
    }

    // MARK: Watching

    func beginToWatch() {
        let isWatched = SystemThread.start("laurel guards") { [self] in
            while end.wait(timeout: .now() + 1) == .timedOut { endSlow() }
            didEnd.signal()
        }
        if !isWatched { didEnd.signal() }
    }

    func endToWatch() {
        end.signal()
        didEnd.wait()
    }

    /// Ends slow connections. The list stays locked, so that no socket is closed meanwhile.
    private func endSlow() {
        let now = MonotonicClock.seconds
        state.withLock { state in
            for connection in state.all.values { connection.endIfSlow(limits, at: now) }
        }
    }
}
