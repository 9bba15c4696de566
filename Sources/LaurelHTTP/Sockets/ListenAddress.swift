// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// An address to listen on: `127.0.0.1:8080`, `[::1]:8080`, `:8080` for every interface, or `localhost:8080`. With port
/// 0, the system chooses a free port.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The host as written; empty for every interface.
    public var host: String
    public var port: UInt16

    public init(host: String, port: UInt16) { (self.host, self.port) = (host, port) }

    /// Parses an address; returns nil if the text is invalid.
    public init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(text[text.utf8.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.utf8.contains(UInt8(ascii: ":")) {
            return nil
        }
        self.init(host: host, port: port)
    }

    public var description: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// True if only clients on this machine can connect.
    public var isLoopback: Bool { host == "localhost" || PeerAddress.isLoopback(host) }
}

/// A socket that waits for connections.
public struct ListeningSocket: Sendable {
    public let descriptor: Int32
    /// The address of the socket, with the port that the system chose.
    public let address: ListenAddress

    /// Opens a socket that listens on an address.
    public init(_ address: ListenAddress) throws(HTTPServerError) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = ListeningSocket.streamType
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(address.host.isEmpty ? nil : address.host, "\(address.port)", &hints, &found)
        guard status == 0, let first = found else {
            throw HTTPServerError("\(address): \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(first) }
        var problem = "there is no such address"
        for info in sequence(first: first, next: { $0.pointee.ai_next }) {
            let descriptor = socket(info.pointee.ai_family, info.pointee.ai_socktype, info.pointee.ai_protocol)
            guard descriptor >= 0 else { continue }
            ListeningSocket.prepare(descriptor)
            if bind(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0, listen(descriptor, 1024) == 0 {
                self.init(descriptor: descriptor, asked: address)
                return
            }
            problem = String(cString: strerror(errno))
            close(descriptor)
        }
        throw HTTPServerError("cannot listen on \(address): \(problem)")
    }

    /// Uses a socket that another process, such as systemd, has opened and passed on.
    /// - Returns: nil if the descriptor is not a listening socket.
    public init?(inherited descriptor: Int32) {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0, value == 1 else { return nil }
        ListeningSocket.makeNonblocking(descriptor)
        self.init(descriptor: descriptor, asked: ListenAddress(host: "", port: 0))
    }

    private init(descriptor: Int32, asked: ListenAddress) {
        self.descriptor = descriptor
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let bound = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &size) == 0 ? NumericAddress.parts(address, size) : nil
            }
        }
        guard let bound else {
            address = asked
            return
        }
        address = ListenAddress(host: asked.host.isEmpty ? bound.host : asked.host, port: bound.port)
    }

    private static var streamType: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    private static func prepare(_ descriptor: Int32) {
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        makeNonblocking(descriptor)
    }

    private static func makeNonblocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
