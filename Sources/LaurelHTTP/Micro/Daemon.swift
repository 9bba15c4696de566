// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import Dispatch
internal import LaurelSystem
import Synchronization

/// A daemon of libmicrohttpd, and the thread that serves its connections.
final class Daemon: @unchecked Sendable {
    private struct State {
        /// True if the thread was woken and has not checked for work since.
        var isAwake = false
        var isEnding = false
        var isToBeQuiet = false
    }

    unowned let owner: MicroHTTPServer
    /// The memory of the library's daemon. The library uses it while the daemon runs, so its address must not change.
    private let server: UnsafeMutablePointer<laurel_http_server>
    /// A pipe. Bytes that are written to one end wake the thread, which reads the other end.
    private let wake: (read: Int32, write: Int32)
    private let state = Mutex(State())
    private let didEnd = DispatchSemaphore(value: 0)
    private let isQuiet = DispatchSemaphore(value: 0)

    /// Starts the library's daemon and the thread.
    /// - Parameter settings: the settings. Their context is replaced by this object.
    /// - Returns: nil if the system lacks resources; `errno` then has the reason.
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

    /// The daemon that a callback's context points to.
    static func of(_ context: UnsafeMutableRawPointer?) -> Daemon {
        Unmanaged<Daemon>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Stops accepting connections. The library then no longer owns the listening socket.
    func quiesce() {
        #if os(Linux)
            // The serving thread makes the call, because two threads must not call the library at the same time.
            state.withLock { $0.isToBeQuiet = true }
            signal()
            isQuiet.wait()
        #else
            _ = MHD_quiesce_daemon(server.pointee.daemon)
        #endif
    }

    /// Ends all connections. No connection may be suspended. Must be called after ``quiesce()``.
    func stop() {
        state.withLock { $0.isEnding = true }
        signal()
        didEnd.wait()
        MHD_stop_daemon(server.pointee.daemon)
    }

    /// Wakes the thread after a connection was resumed. If several connections are resumed together, only the first
    /// call writes to the pipe.
    func signal() {
        let isAsleep = state.withLock { state in
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if isAsleep { _ = write(wake.write, [1], 1) }
    }

    /// Waits for events, and handles them.
    /// - Returns: false when the daemon ends, or if the library has its own thread.
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
        // This also runs when the daemon ends, so that the last answers are sent.
        MHD_run(server.pointee.daemon)
        return !isEnding
    }
}
