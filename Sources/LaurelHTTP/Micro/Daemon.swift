// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import Dispatch
internal import LaurelSystem
import Synchronization

/// A daemon of libmicrohttpd, and the thread that serves its connections.
final class Daemon: @unchecked Sendable {
    private struct State {
        /// True if the thread has been woken, and has not looked for work since.
        var isAwake = false
        var isEnding = false
        var isToBeQuiet = false
    }

    unowned let owner: MicroHTTPServer
    /// The daemon's memory. The library uses it while it runs, so its address must not change.
    private let server: UnsafeMutablePointer<laurel_http_server>
    /// A pipe: bytes that are written to one end wake the thread, which reads the other.
    private let wake: (read: Int32, write: Int32)
    private let state = Mutex(State())
    private let didEnd = DispatchSemaphore(value: 0)
    private let isQuiet = DispatchSemaphore(value: 0)

    /// Starts to serve.
    /// - Parameter settings: their context is the daemon.
    /// - Returns: nil if the system lacks resources, with `errno`.
    init?(_ owner: MicroHTTPServer, _ settings: laurel_http_settings) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.owner = owner
        wake = (ends[0], ends[1])
        server = .allocate(capacity: 1)
        server.initialize(to: laurel_http_server())
        server.pointee.settings = settings
        server.pointee.settings.context = Unmanaged.passUnretained(self).toOpaque()
        guard laurel_http_start(server) != 0 else { return nil }
        let runs = SystemThread.start("laurel receives") { [self] in
            while serve() {}
            didEnd.signal()
        }
        guard runs else {
            _ = MHD_quiesce_daemon(server.pointee.daemon)
            MHD_stop_daemon(server.pointee.daemon)
            return nil
        }
    }

    deinit {
        close(wake.read)
        close(wake.write)
        server.deallocate()
    }

    /// The daemon of a callback's context.
    static func of(_ context: UnsafeMutableRawPointer?) -> Daemon {
        Unmanaged<Daemon>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Accepts no new connections. The library no longer owns the listening socket.
    func quiesce() {
        #if os(Linux)
            // The serving thread does it, because two threads must not call the library at once.
            state.withLock { $0.isToBeQuiet = true }
            signal()
            isQuiet.wait()
        #else
            _ = MHD_quiesce_daemon(server.pointee.daemon)
        #endif
    }

    /// Ends all connections, none of which may be suspended. Must be called after ``quiesce()``.
    func stop() {
        state.withLock { $0.isEnding = true }
        signal()
        didEnd.wait()
        MHD_stop_daemon(server.pointee.daemon)
    }

    /// Wakes the thread after a connection was resumed. For many at once, only the first call wakes it.
    func signal() {
        let isAsleep = state.withLock { state in
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if isAsleep { _ = write(wake.write, [1], 1) }
    }

    /// Serves connections once.
    /// - Returns: false at the end, and if the library has its own thread.
    private func serve() -> Bool {
        guard laurel_http_wait(server, wake.read) != 0 else { return false }
        let (isEnding, isToBeQuiet) = state.withLock { state in
            defer { (state.isAwake, state.isToBeQuiet) = (false, false) }
            return (state.isEnding, state.isToBeQuiet)
        }
        if isToBeQuiet {
            _ = MHD_quiesce_daemon(server.pointee.daemon)
            isQuiet.signal()
        }
        // Also at the end, so that the latest answers are sent.
        MHD_run(server.pointee.daemon)
        return !isEnding
    }
}
