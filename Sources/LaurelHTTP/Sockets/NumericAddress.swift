// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// Numeric addresses of sockets. No names are looked up.
enum NumericAddress {
    /// The host and the port of an address; nil for another kind of socket.
    static func parts(_ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> (host: String, port: UInt16)? {
        var (host, port) = ([CChar](repeating: 0, count: 1025), [CChar](repeating: 0, count: 32))
        let status = getnameinfo(
            address,
            size,
            &host,
            socklen_t(host.count),
            &port,
            socklen_t(port.count),
            NI_NUMERICHOST | NI_NUMERICSERV
        )
        guard status == 0, let number = UInt16(text(port)) else { return nil }
        return (text(host), number)
    }

    static func host(_ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> String? { parts(address, size)?.host }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
