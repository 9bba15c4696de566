// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import Dispatch
internal import LaurelSystem
import Synchronization

/// A server over libmicrohttpd: its own threads read requests by epoll, and a request that waits for its answer is suspended.
///
/// The library accepts heads that allow request smuggling, so every head is checked again: see ``HeadCheck``.
public final class MicroHTTPServer: HTTPServer, @unchecked Sendable {
    /// How much is allowed.
    public struct Limits: Sendable {
        /// Bytes for a request's head, and buffers.
        public var headBytes = 8 << 10
        public var connections = 16_384
        /// Seconds without a byte, after which a connection is closed.
        public var silence = 60
        /// Seconds that a head may take to arrive.
        public var headSeconds = 15
        /// Seconds that a body of bounded length may take.
        public var bodySeconds = 120
        public var threads = 1

        public init() {}
    }

    public let address: ListenAddress
    let limits: Limits
    private let socket: ListeningSocket
    /// The library uses it as long as it runs, so its address must not change.
    private let server: UnsafeMutablePointer<laurel_http_server>
    private(set) var handler: (any HTTPHandler)?
    let connections: Connections
    private let state = Mutex(State())

    private struct State {
        var isRunning = false
        var isQuiet = false
    }

    public init(_ socket: ListeningSocket, limits: Limits = Limits()) {
        self.socket = socket
        self.limits = limits
        address = socket.address
        connections = Connections(limits)
        server = .allocate(capacity: 1)
        server.initialize(to: laurel_http_server())
    }

    deinit {
        stop()
        server.deallocate()
    }

    public func start(_ handler: any HTTPHandler) throws {
        self.handler = handler
        var settings = laurel_http_settings()
        settings.listener = socket.descriptor
        settings.threads = UInt32(limits.threads)
        settings.connections = UInt32(limits.connections)
        settings.timeout = UInt32(limits.silence)
        settings.memory = limits.headBytes
        settings.context = Unmanaged.passUnretained(self).toOpaque()
        settings.begin = { context, target, _ in
            // It must not be empty: nothing would say that the request ends.
            Unmanaged.passRetained(MicroRequest(MicroHTTPServer.from(context), target: target)).toOpaque()
        }
        settings.handle = { _, connection, method, version, body, size, request in
            guard let connection, let size, let place = request?.pointee else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: body, count: size.pointee)
            size.pointee = 0
            let known = Unmanaged<MicroRequest>.fromOpaque(place).takeUnretainedValue()
            return known.proceed(connection, method, version, bytes) ? 1 : 0
        }
        settings.end = { context, connection, request in
            guard let place = request?.pointee else { return }
            request?.pointee = nil
            Unmanaged<MicroRequest>.fromOpaque(place).takeRetainedValue().end()
            // The next request's head may be as slow as the first one's.
            if let connection { MicroHTTPServer.from(context).connections.note(connection, .head) }
        }
        settings.connected = { context, connection, isStarted in
            guard let connection else { return }
            MicroHTTPServer.from(context).connections.note(connection, isStarted: isStarted != 0)
        }
        server.pointee.settings = settings
        guard laurel_http_start(server) != 0 else {
            throw HTTPServerError("cannot serve on \(address): \(String(cString: strerror(errno)))")
        }
        state.withLock { $0.isRunning = true }
        connections.beginToWatch()
    }

    public func quiesce() {
        let isFirst = state.withLock { state in
            defer { state.isQuiet = true }
            return state.isRunning && !state.isQuiet
        }
        // From here on the socket belongs to us again.
        if isFirst, MHD_quiesce_daemon(server.pointee.daemon) >= 0 { close(socket.descriptor) }
    }

    public func stop() {
        quiesce()
        let wasRunning = state.withLock { state in
            defer { state.isRunning = false }
            return state.isRunning
        }
        guard wasRunning else { return }
        // The library does not define what happens if it is stopped while a connection is suspended.
        connections.resumeAll()
        MHD_stop_daemon(server.pointee.daemon)
        connections.endToWatch()
    }

    /// Whether no more requests are to follow on a connection.
    var isQuiet: Bool { state.withLock { $0.isQuiet } }

    private static func from(_ context: UnsafeMutableRawPointer?) -> MicroHTTPServer {
        Unmanaged<MicroHTTPServer>.fromOpaque(context!).takeUnretainedValue()
    }
}
