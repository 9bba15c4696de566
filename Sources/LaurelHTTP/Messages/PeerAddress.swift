// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// The address of the other end of a connection, without its port.
public struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The numeric address, such as `192.0.2.7` or `2001:db8::7`; empty for a socket without addresses.
    public let description: String
    /// True if the other end is on this machine.
    public let isLoopback: Bool

    public static let loopback = PeerAddress("127.0.0.1")

    /// Creates a peer with a given address.
    /// - Parameter text: a numeric address, in the format of `inet_ntop`. Any other text is not a loopback address.
    public init(_ text: String) {
        description = text
        isLoopback = Self.isLoopback(text)
    }

    /// The peer of a connected socket.
    init(socket: Int32) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let host = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(socket, address, &size) == 0 ? NumericAddress.host(address, size) : nil
            }
        }
        self.init(host ?? "")
    }

    /// True if a text is a numeric address of the loopback interface: 127.0.0.0/8, ::1, or 127.0.0.0/8 written as IPv6.
    static func isLoopback(_ text: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return UInt32(bigEndian: four.s_addr) >> 24 == 127 }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return false }
        return withUnsafeBytes(of: &six) { bytes in
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            return isMapped ? bytes[12] == 127 : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
        }
    }
}
