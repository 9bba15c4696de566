// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LaurelSystem
import Synchronization

/// The sockets of live streams, thousands of which wait at a time: one thread sends what there is to be told, and notices who has
/// gone.
///
/// libmicrohttpd keeps some ten kilobytes for each of its connections, and goes through all that wait whenever one is to go on. So a
/// stream's socket is taken from it: the library closes its descriptor of it, and another stays open here.
final class LiveSockets: @unchecked Sendable {
    /// A stream and its socket. Used by the thread only.
    private final class Live: @unchecked Sendable {
        let socket: Int32
        let stream: HTTPBodyStream
        /// What there was no room for.
        var unsent: [UInt8]
        /// Since when there is no room, in seconds of a clock that only goes on.
        var fullSince: Int?
        /// True if the body is sent in chunks, which HTTP/1.0 does not know.
        let isChunked: Bool
        /// True once the last chunk was taken.
        var isOver = false

        init(_ socket: Int32, _ stream: HTTPBodyStream, _ answer: HTTPResponse, isChunked: Bool) {
            (self.socket, self.stream, self.isChunked) = (socket, stream, isChunked)
            unsent = LiveSockets.head(of: answer, isChunked: isChunked)
        }

        /// Some bytes of the body, as they are sent.
        func framed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            guard isChunked else { return Array(bytes) }
            return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
        }
    }

    private struct State {
        var new: [Live] = []
        /// Those whose streams have something to be told, by tag.
        var ready: [UInt64] = []
        var isAwake = false
        var isEnding = false
    }

    private static let wakeTag: UInt64 = 0
    private static let roomForEvents = 64
    /// Bytes that the system may keep of what a client does not read: by itself it would keep some megabytes.
    private static let systemRoom: Int32 = 64 << 10

    /// Seconds that a client may read nothing of what is there.
    private let patience: Int
    private let state = Mutex(State())
    private let didEnd = DispatchSemaphore(value: 0)
    /// Used by the thread only, once it runs.
    private var live: [UInt64: Live] = [:]
    private var full: Set<UInt64> = []
    private var lastTag = wakeTag
    private var watched: Int32 = -1
    /// What is written to the one is read from the other, to wake the thread.
    private var wake: (read: Int32, write: Int32) = (-1, -1)
    private var room = [UInt8](repeating: 0, count: 64 << 10)

    init(patience: Int) { self.patience = patience }

    /// Begins to serve what is taken.
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

    /// Ends all streams; what they have to tell already is sent as far as there is room.
    func end() {
        state.withLock { $0.isEnding = true }
        signal()
        if wake.write >= 0 { didEnd.wait() }
        // Whoever writes to a stream meanwhile must not wake what has the number next.
        state.withLock { _ in
            for descriptor in [watched, wake.read, wake.write] where descriptor >= 0 { close(descriptor) }
            (watched, wake) = (-1, (-1, -1))
        }
    }

    /// Sends an answer and then, for as long as somebody listens, what its stream has to tell. Whoever has the socket may close theirs.
    /// - Parameter isChunked: false for HTTP/1.0, where the connection's end is the body's.
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

    /// - Returns: false in the end.
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
        for tag in ready { tell(tag) }
        if !full.isEmpty { closeWhoDoesNotRead() }
        guard isEnding else { return true }
        for tag in Array(live.keys) { close(tag) }
        return false
    }

    private func take(_ event: laurel_socket_event) {
        if event.tag == Self.wakeTag {
            while read(wake.read, &room, room.count) > 0 {}
            return
        }
        // Whatever else it sends is nobody's business; that it has gone is.
        if event.has_bytes != 0, hasGone(event.tag) { return close(event.tag) }
        if event.has_room != 0 { tell(event.tag) }
    }

    private func hasGone(_ tag: UInt64) -> Bool {
        guard let socket = live[tag]?.socket else { return false }
        let count = laurel_socket_receive(socket, &room, room.count)
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }

    private func begin(_ new: Live) {
        lastTag += 1
        live[lastTag] = new
        guard laurel_sockets_add(watched, new.socket, lastTag) == 0 else { return close(lastTag) }
        tell(lastTag)
    }

    /// Sends what there is, as far as there is room.
    private func tell(_ tag: UInt64) {
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
            // Without the last chunk, the client sees that something is missing.
            case .brokenOff: return close(tag)
            }
        }
    }

    /// - Returns: false where nobody listens any more.
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

    private func closeWhoDoesNotRead() {
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
