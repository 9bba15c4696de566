// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// Prevents messages to addresses that only this machine or its network can reach. The addresses of webhooks are not
/// trusted.
enum AddressGuard {
    /// True if an address belongs to the public internet.
    static func isPublic(_ address: UnsafePointer<sockaddr>) -> Bool {
        let family = Int32(address.pointee.sa_family)
        let bytes = UnsafeRawPointer(address)
        switch family {
        case AF_INET: return isPublic(v4: Array(UnsafeRawBufferPointer(start: bytes + 4, count: 4)))
        case AF_INET6: return isPublic(v6: Array(UnsafeRawBufferPointer(start: bytes + 8, count: 16)))
        default: return false
        }
    }

    /// True if a URL's host is certainly not public. A name is not looked up, so the result is false for most names.
    static func isPrivate(_ host: String) -> Bool {
        let name = host.lowercased()
        // A trailing dot is refused, because only some resolvers and certificates accept it.
        if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".") { return true }
        let bare = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(bare, nil, &hints, &found) == 0, let found else { return false }
        defer { freeaddrinfo(found) }
        return found.pointee.ai_addr.map { !isPublic($0) } ?? true
    }

    /// True if an address is public by the registry of special-purpose addresses (RFC 6890).
    static func isPublic(v4 bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168), (224..., _): false
        case (100, 64...127), (172, 16...31), (198, 18...19): false
        case (192, 0): bytes[2] != 0 && bytes[2] != 2
        case (198, 51): bytes[2] != 100
        case (203, 0): bytes[2] != 113
        default: true
        }
    }

    static func isPublic(v6 bytes: [UInt8]) -> Bool {
        let head = Array(bytes[0..<12])
        // An IPv4 address inside an IPv6 address, mapped or translated, is checked as an IPv4 address.
        if head == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] || head == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] {
            return isPublic(v4: Array(bytes[12..<16]))
        }
        // Global unicast is 2000::/3. Three ranges in it are special: 2001:db8::/32 is for documentation, 2001::/32
        // (Teredo) leads to an IPv4 address behind a relay, and 2002::/16 contains an IPv4 address.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        if bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) || bytes.starts(with: [0x20, 0x01, 0, 0]) { return false }
        return bytes.starts(with: [0x20, 0x02]) ? isPublic(v4: Array(bytes[2..<6])) : true
    }
}
