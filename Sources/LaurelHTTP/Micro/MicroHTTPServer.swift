// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import Dispatch
internal import LaurelSystem
import Synchronization

/// A server that uses libmicrohttpd. One or more threads read requests with epoll. A request is suspended while it
/// waits for its answer. Live streams are taken over from the library: see ``LiveSockets``.
///
/// The library accepts heads that make request smuggling possible. So every head is checked again: see ``HeadCheck``.
public final class MicroHTTPServer: HTTPServer, @unchecked Sendable {
    /// The limits of requests and connections.
    public struct Limits: Sendable {
        /// The memory for a connection, in bytes. It contains a request's head and the buffers.
        public var headBytes = 8 << 10
        public var connections = 16_384
        /// The time without a received byte, in seconds, after which a connection is closed.
        public var silence = 60
        /// The maximum number of seconds for a head to arrive.
        public var headSeconds = 15
        /// The time without a received byte, in seconds, after which the connection of an incomplete body is closed.
        /// A whole body may take longer if it arrives at ``leastBodyRate`` or faster.
        public var bodySeconds = 120
        /// The lowest mean rate of a body that takes longer than ``bodySeconds``, in bytes per second.
        public var leastBodyRate = 1 << 10
        public var threads = 1

        public init() {}
    }

    public let address: ListenAddress
    let limits: Limits
    private let socket: ListeningSocket
    private(set) var handler: (any HTTPHandler)?
    let connections: Connections
    let streams: LiveSockets
    private let state = Mutex(State())

    private struct State {
        /// The daemons, each with a thread.
        var daemons: [Daemon] = []
        var isRunning = false
        var isQuiet = false
    }

    public init(_ socket: ListeningSocket, limits: Limits = Limits()) {
        self.socket = socket
        self.limits = limits
        address = socket.address
        connections = Connections(limits)
        streams = LiveSockets(patience: limits.silence)
    }

    deinit { stop() }

    public func start(_ handler: any HTTPHandler) throws {
        self.handler = handler
        var settings = laurel_http_settings()
        settings.listener = socket.descriptor
        settings.connections = UInt32(max(1, limits.connections / max(1, limits.threads)))
        settings.timeout = UInt32(limits.silence)
        settings.memory = limits.headBytes
        settings.begin = { context, target, _ in
            // The context must not be null. Otherwise the library would not report the end of the request.
            Unmanaged.passRetained(MicroRequest(Daemon.of(context).owner, target: target)).toOpaque()
        }
        settings.handle = { _, connection, method, version, body, size, request in
            guard let connection, let size, let handle = request?.pointee else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: body, count: size.pointee)
            size.pointee = 0
            let known = Unmanaged<MicroRequest>.fromOpaque(handle).takeUnretainedValue()
            return known.proceed(connection, method, version, bytes) ? 1 : 0
        }
        settings.end = { _, connection, request in
            guard let handle = request?.pointee else { return }
            request?.pointee = nil
            Unmanaged<MicroRequest>.fromOpaque(handle).takeRetainedValue().end()
            // The time limit of the next request's head begins here.
            if let connection { Connection.of(connection)?.note(.head) }
        }
        settings.connected = { context, connection, known, isStarted in
            guard let connection, let known else { return }
            let daemon = Daemon.of(context)
            if isStarted != 0 {
                known.pointee = daemon.owner.connections.begin(connection, of: daemon)
            } else if let handle = known.pointee {
                known.pointee = nil
                daemon.owner.connections.end(handle)
            }
        }
        state.withLock { $0.isRunning = true }
        streams.begin()
        connections.beginToWatch()
        for _ in 0..<max(1, limits.threads) {
            guard let daemon = Daemon(self, settings) else {
                let reason = String(cString: strerror(errno))
                stop()
                throw HTTPServerError("cannot serve on \(address): \(reason)")
            }
            state.withLock { $0.daemons.append(daemon) }
        }
    }

    public func quiesce() {
        let (daemons, isFirst) = state.withLock { state in
            defer { state.isQuiet = true }
            return (state.daemons, state.isRunning && !state.isQuiet)
        }
        guard isFirst else { return }
        for daemon in daemons { daemon.quiesce() }
        // From here on, the server owns the socket again.
        close(socket.descriptor)
    }

    public func stop() {
        quiesce()
        let daemons: [Daemon]? = state.withLock { state in
            defer { (state.daemons, state.isRunning) = ([], false) }
            return state.isRunning ? state.daemons : nil
        }
        guard let daemons else { return }
        // The library does not define the result of stopping it while a connection is suspended.
        connections.resumeAll()
        for daemon in daemons { daemon.stop() }
        connections.endToWatch()
        streams.end()
    }

    /// True if connections must accept no further requests.
    var isQuiet: Bool { state.withLock { $0.isQuiet } }
}
