// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LaurelSystem
import Synchronization

/// The sockets of live streams. Thousands of streams may be open at the same time. One thread sends their messages,
/// and notices when clients disconnect.
///
/// libmicrohttpd needs some ten kilobytes per connection. Whenever one connection resumes, the library visits all
/// waiting connections. So streams are taken over: the library closes its descriptor of the socket, and a duplicate
/// stays open here.
final class LiveSockets: @unchecked Sendable {
    /// A stream and its socket, used only by the thread.
    private final class Live: @unchecked Sendable {
        let socket: Int32
        let stream: HTTPBodyStream
        /// The bytes that did not fit into the socket's buffer.
        var unsent: [UInt8]
        /// The time since which the socket's buffer is full, in seconds of a monotonic clock; nil if the buffer has
        /// room.
        var fullSince: Int?
        /// True if the body is sent in chunks. HTTP/1.0 does not support chunks.
        let isChunked: Bool
        /// True after the last chunk was written.
        var isOver = false

        init(_ socket: Int32, _ stream: HTTPBodyStream, _ answer: HTTPResponse, isChunked: Bool) {
            (self.socket, self.stream, self.isChunked) = (socket, stream, isChunked)
            unsent = LiveSockets.head(of: answer, isChunked: isChunked)
        }

        /// Bytes of the body in the form in which they are sent: as a chunk, or unchanged.
        func framed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            guard isChunked else { return Array(bytes) }
            return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
        }
    }

    private struct State {
        var new: [Live] = []
        /// The tags of streams with something to send.
        var ready: [UInt64] = []
        var isAwake = false
        var isEnding = false
    }

    private static let wakeTag: UInt64 = 0
    private static let roomForEvents = 64
    /// The size of the system's send buffer for a client, in bytes. The system's default would be some megabytes.
    private static let systemRoom: Int32 = 64 << 10

    /// The time for which a client may leave waiting bytes unread, in seconds.
    private let patience: Int
    private let state = Mutex(State())
    private let didEnd = DispatchSemaphore(value: 0)
    /// The streams, used only by the thread once it runs.
    private var live: [UInt64: Live] = [:]
    private var full: Set<UInt64> = []
    private var lastTag = wakeTag
    private var watched: Int32 = -1
    /// A pipe. Bytes that are written to one end wake the thread, which reads the other end.
    private var wake: (read: Int32, write: Int32) = (-1, -1)
    private var room = [UInt8](repeating: 0, count: 64 << 10)

    init(patience: Int) { self.patience = patience }

    /// Starts the thread.
    func begin() {
        var ends: [Int32] = [-1, -1]
        watched = laurel_sockets_open()
        guard watched >= 0 else { return }
        guard pipe(&ends) == 0 else {
            close(watched)
            watched = -1
            return
        }
        wake = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        _ = laurel_sockets_add(watched, wake.read, Self.wakeTag)
        let runs = SystemThread.start("laurel sends") { [self] in
            while serve() {}
            didEnd.signal()
        }
        guard !runs else { return }
        didEnd.signal()
        end()
    }

    /// Ends all streams. Waiting bytes are sent as far as the sockets' buffers have room.
    func end() {
        state.withLock { $0.isEnding = true }
        signal()
        if wake.write >= 0 { didEnd.wait() }
        // The descriptors are closed under the lock. So a late write to a stream cannot reach another file with the
        // same descriptor.
        state.withLock { _ in
            for descriptor in [watched, wake.read, wake.write] where descriptor >= 0 { close(descriptor) }
            (watched, wake) = (-1, (-1, -1))
        }
    }

    /// Sends an answer and then the stream's messages, until the client disconnects. The caller may close its own
    /// descriptor of the socket.
    /// - Parameter isChunked: false for HTTP/1.0, where the body ends when the connection is closed.
    func take(_ socket: Int32, _ answer: HTTPResponse, _ stream: HTTPBodyStream, isChunked: Bool) {
        guard watched >= 0 else { return stream.close() }
        let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return stream.close() }
        let size = socklen_t(MemoryLayout<Int32>.size)
        var (one, room): (Int32, Int32) = (1, Self.systemRoom)
        setsockopt(own, Int32(IPPROTO_TCP), TCP_NODELAY, &one, size)
        setsockopt(own, SOL_SOCKET, SO_SNDBUF, &room, size)
        let new = Live(own, stream, answer, isChunked: isChunked)
        state.withLock { $0.new.append(new) }
        signal()
    }

    private static func head(of answer: HTTPResponse, isChunked: Bool) -> [UInt8] {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 64)
        strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        let date = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        var lines = ["HTTP/1.1 \(answer.status) OK", "Date: \(date)", "Connection: close"]
        if isChunked { lines.append("Transfer-Encoding: chunked") }
        lines += answer.headers.fields.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private func note(_ tag: UInt64) {
        state.withLock { $0.ready.append(tag) }
        signal()
    }

    private func signal() {
        state.withLock { state in
            if !state.isAwake, wake.write >= 0 { _ = write(wake.write, [1], 1) }
            state.isAwake = true
        }
    }

    // MARK: The thread

    /// Waits for events once, and handles them.
    /// - Returns: false at the end.
    private func serve() -> Bool {
        withUnsafeTemporaryAllocation(of: laurel_socket_event.self, capacity: Self.roomForEvents) { events in
            let timeout: Int32 = full.isEmpty ? -1 : 1000
            let count = laurel_sockets_wait(watched, events.baseAddress, Int32(Self.roomForEvents), timeout)
            for event in events[..<Int(count)] { take(event) }
        }
        let (new, ready, isEnding) = state.withLock { state in
            defer { (state.new, state.ready, state.isAwake) = ([], [], false) }
            return (state.new, state.ready, state.isEnding)
        }
        for stream in new { begin(stream) }
        for tag in ready { sendWaiting(tag) }
        if !full.isEmpty { closeStalledStreams() }
        guard isEnding else { return true }
        for tag in Array(live.keys) { close(tag) }
        return false
    }

    private func take(_ event: laurel_socket_event) {
        if event.tag == Self.wakeTag {
            while read(wake.read, &room, room.count) > 0 {}
            return
        }
        // Bytes from the client are ignored. Only the end of the connection matters.
        if event.has_bytes != 0, isDisconnected(event.tag) { return close(event.tag) }
        if event.has_room != 0 { sendWaiting(event.tag) }
    }

    private func isDisconnected(_ tag: UInt64) -> Bool {
        guard let socket = live[tag]?.socket else { return false }
        let count = laurel_socket_receive(socket, &room, room.count)
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    private func begin(_ new: Live) {
        lastTag += 1
        live[lastTag] = new
        guard laurel_sockets_add(watched, new.socket, lastTag) == 0 else { return close(lastTag) }
        sendWaiting(lastTag)
    }

    /// Sends the waiting bytes of a stream, as far as the socket's buffer has room.
    private func sendWaiting(_ tag: UInt64) {
        guard let stream = live[tag] else { return }
        while true {
            guard sendRest(of: stream) else { return close(tag) }
            guard stream.unsent.isEmpty else { return awaitRoom(stream, tag) }
            guard !stream.isOver else { return close(tag) }
            let step = room.withUnsafeMutableBytes { room in
                stream.stream.read(into: room, suspend: {}) { [weak self] in self?.note(tag) }
            }
            switch step {
            case .sent(let count): stream.unsent = stream.framed(room[..<count])
            case .nothingYet: return awaitNothing(stream, tag)
            case .end:
                stream.isOver = true
                stream.unsent = stream.framed([])
            // The last chunk is not sent, so the client sees that the body is incomplete.
            case .aborted: return close(tag)
            }
        }
    }

    /// Sends the bytes that did not fit before.
    /// - Returns: false if the client has disconnected.
    private func sendRest(of stream: Live) -> Bool {
        guard !stream.unsent.isEmpty else { return true }
        let count = laurel_socket_send(stream.socket, stream.unsent, stream.unsent.count)
        if count < 0 { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }
        if count > 0 { stream.fullSince = nil }
        stream.unsent = count == stream.unsent.count ? [] : Array(stream.unsent[count...])
        return true
    }

    private func awaitRoom(_ stream: Live, _ tag: UInt64) {
        if stream.fullSince == nil { stream.fullSince = MonotonicClock.seconds }
        if full.insert(tag).inserted { _ = laurel_sockets_await_room(watched, stream.socket, tag, 1) }
    }

    private func awaitNothing(_ stream: Live, _ tag: UInt64) {
        if full.remove(tag) != nil { _ = laurel_sockets_await_room(watched, stream.socket, tag, 0) }
    }

    private func closeStalledStreams() {
        let now = MonotonicClock.seconds
        for tag in full where now - (live[tag]?.fullSince ?? now) > patience { close(tag) }
    }

    private func close(_ tag: UInt64) {
        full.remove(tag)
        guard let gone = live.removeValue(forKey: tag) else { return }
        laurel_sockets_remove(watched, gone.socket)
        LaurelSystem.close(gone.socket)
        gone.stream.close()
    }

    private func close(_ descriptor: Int32) { LaurelSystem.close(descriptor) }
}
