// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelSystem

/// A connection to a server on this machine that sends arbitrary bytes.
public final class RawConnection {
    private let descriptor: Int32
    /// The received bytes after the last answer.
    private var received: [UInt8] = []

    /// Connects; nil if no server listens.
    /// - Parameter patience: the milliseconds to wait for each answer.
    public init?(port: UInt16, patience milliseconds: Int = 20_000) {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        var patience = timeval(tv_sec: milliseconds / 1000, tv_usec: .init(milliseconds % 1000 * 1000))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard isConnected else { return nil }
    }

    deinit { close(descriptor) }

    /// - Returns: false if the other side has closed the connection.
    @discardableResult
    public func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                LaurelSystem.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Closes the sending side.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Some of the next bytes; empty at the end, and after a long silence.
    public func receiveSome() -> [UInt8] {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &room, room.count, 0)
        return count > 0 ? Array(room[..<count]) : []
    }

    /// An answer with a length, or one that ends with the connection.
    public func receiveAnswer() -> RawAnswer? {
        while true {
            if let answer = RawAnswer(received) {
                received.removeFirst(answer.length)
                return answer
            }
            let more = receiveSome()
            if more.isEmpty { return RawAnswer(received, isAtEnd: true) }
            received += more
        }
    }
}

/// An answer as it was received.
public struct RawAnswer: Sendable {
    public let status: Int
    /// The header fields, by name in lower case.
    public let headers: [String: String]
    public let body: [UInt8]
    /// The length of the answer in bytes, head and body.
    fileprivate let length: Int

    /// - Parameter isAtEnd: true if no more bytes follow.
    /// - Returns: nil if the answer is incomplete.
    public init?(_ bytes: [UInt8], isAtEnd: Bool = false) {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        let rest = Array(bytes[end.upperBound...])
        if let length = headers["content-length"].flatMap({ Int($0) }) {
            guard rest.count >= length else { return nil }
            body = Array(rest[..<length])
        } else if headers["transfer-encoding"] == "chunked" {
            guard rest.ends(with: Array("0\r\n\r\n".utf8)) || isAtEnd else { return nil }
            body = rest
        } else {
            guard isAtEnd || status == 204 || status == 304 else { return nil }
            body = rest
        }
        (self.status, self.headers, length) = (status, headers, end.upperBound + body.count)
    }

    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The data of the chunks; the body itself if it is not chunked.
    public var content: [UInt8] {
        guard headers["transfer-encoding"] == "chunked" else { return body }
        var (content, rest): ([UInt8], ArraySlice<UInt8>) = ([], body[...])
        while let end = rest.firstRange(of: Array("\r\n".utf8)),
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), size > 0
        {
            content += rest[end.upperBound..<end.upperBound + size]
            rest = rest[(end.upperBound + size + 2)...]
        }
        return content
    }
}

extension Array<UInt8> {
    fileprivate func ends(with other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}
