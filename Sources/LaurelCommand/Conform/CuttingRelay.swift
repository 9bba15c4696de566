// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP
import LaurelSimulation
import LaurelSystem
import Synchronization

/// A network that breaks. The relay passes the bytes of connections to a server on this machine. It refuses some
/// connections, and cuts others after a random byte of the request or of the answer.
final class CuttingRelay: Sendable {
    private struct State {
        var random: Random
        var isCalm = false
        var cuts = 0
    }

    /// The number of bytes that may pass in each direction; nil for no limit.
    private typealias Allowance = (request: Int?, answer: Int?)

    private let listener: ListeningSocket
    /// The port for connections that are never cut.
    private let whole: UInt16
    /// The port for connections that may be cut.
    private let torn: UInt16
    private let state: Mutex<State>

    init(_ listener: ListeningSocket, whole: UInt16, torn: UInt16, seed: UInt64) {
        (self.listener, self.whole, self.torn) = (listener, whole, torn)
        state = Mutex(State(random: Random(seed: seed, stream: 1)))
    }

    var address: ListenAddress { listener.address }
    /// The number of connections that the relay has refused or cut.
    var cuts: Int { state.withLock { $0.cuts } }

    /// Ends the refusals and the cuts.
    func calmDown() { state.withLock { $0.isCalm = true } }

    /// Accepts connections on a thread of its own, until the process ends.
    /// - Returns: false if the system cannot start a thread.
    func start() -> Bool {
        SystemThread.start("relay") {
            var waiting = pollfd(fd: self.listener.descriptor, events: Int16(POLLIN), revents: 0)
            while true {
                _ = poll(&waiting, 1, -1)
                let client = accept(self.listener.descriptor, nil, nil)
                guard client >= 0 else { continue }
                Self.prepare(client)
                if !SystemThread.start("connection", { self.serve(client) }) { Self.abort(client) }
            }
        }
    }

    private func serve(_ client: Int32) {
        let allowance: Allowance? = state.withLock { state in
            if state.isCalm { return (nil, nil) }
            let kind = state.random.choice(among: [50, 10, 20, 20])
            if kind > 0 { state.cuts += 1 }
            // A request is longer than its answer.
            return [
                (nil, nil), nil, (1 + state.random.below(6000), nil), (nil, 1 + state.random.below(600)),
            ][kind]
        }
        guard let allowance else { return Self.abort(client) }
        let isWhole = allowance.request == nil && allowance.answer == nil
        guard let server = Self.connect(to: isWhole ? whole : torn) else { return Self.abort(client) }
        if Self.pass(client, server, allowance) {
            for connection in [client, server] { Self.abort(connection) }
        } else {
            for connection in [client, server] { close(connection) }
        }
    }

    /// Passes bytes in both directions until one side closes the connection, or the allowance is used up.
    /// - Returns: true if the allowance is used up.
    private static func pass(_ client: Int32, _ server: Int32, _ allowance: Allowance) -> Bool {
        var left = [allowance.request ?? .max, allowance.answer ?? .max]
        var waiting = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { buffer.deallocate() }
        while left.allSatisfy({ $0 > 0 }) {
            guard poll(&waiting, 2, -1) > 0 else {
                if errno == EINTR { continue }
                return false
            }
            for side in 0...1 where waiting[side].revents != 0 {
                let count = min(read(waiting[side].fd, buffer.baseAddress, buffer.count), left[side])
                guard count > 0 else { return false }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                guard (try? System.write(bytes, to: waiting[1 - side].fd, name: "a connection")) != nil else {
                    return false
                }
                left[side] -= count
            }
        }
        return true
    }

    private static func connect(to port: UInt16) -> Int32? {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                LaurelSystem.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Makes reads and writes block, and prevents the client's process from inheriting the connection.
    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    /// Closes a connection at once, without sending the bytes that are still in its buffer.
    private static func abort(_ descriptor: Int32) {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }
}
