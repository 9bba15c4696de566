// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD
internal import Dispatch
internal import LaurelSystem
import Synchronization

/// One of libmicrohttpd's daemons, and the thread that serves its connections.
final class Daemon: @unchecked Sendable {
    private struct State {
        /// True if the thread has been woken, and has not looked around since.
        var isAwake = false
        var isEnding = false
        var isToBeQuiet = false
    }

    unowned let owner: MicroHTTPServer
    /// The library uses it as long as it runs, so its address must not change.
    private let server: UnsafeMutablePointer<laurel_http_server>
    /// What is written to the one is read from the other, to wake the thread.
    private let wake: (read: Int32, write: Int32)
    private let state = Mutex(State())
    private let didEnd = DispatchSemaphore(value: 0)
    private let isQuiet = DispatchSemaphore(value: 0)

    /// Begins to serve.
    /// - Parameter settings: their context is the daemon.
    /// - Returns: nil where the system has not what it takes, with `errno`.
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

    /// That of a callback's context.
    static func of(_ context: UnsafeMutableRawPointer?) -> Daemon {
        Unmanaged<Daemon>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Accepts no new connections. The listening socket is not the library's any more.
    func quiesce() {
        #if os(Linux)
            // By the thread that serves: the library is not for two at once.
            state.withLock { $0.isToBeQuiet = true }
            signal()
            isQuiet.wait()
        #else
            _ = MHD_quiesce_daemon(server.pointee.daemon)
        #endif
    }

    /// Ends all connections, none of which may be suspended any more. To be called after ``quiesce()``.
    func stop() {
        state.withLock { $0.isEnding = true }
        signal()
        didEnd.wait()
        MHD_stop_daemon(server.pointee.daemon)
    }

    /// To be called when a connection was resumed. Of many at once the first wakes the thread.
    func signal() {
        let isAsleep = state.withLock { state in
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if isAsleep { _ = write(wake.write, [1], 1) }
    }

    /// - Returns: false in the end, and where the library has a thread of its own.
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
        // In the end, too: answers that were just given go out.
        MHD_run(server.pointee.daemon)
        return !isEnding
    }
}
