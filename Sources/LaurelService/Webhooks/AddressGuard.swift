import LaurelSystem

/// Keeps messages from going where only this machine or network can reach: a webhook's address is somebody else's say.
enum AddressGuard {
    /// Whether a name leads to addresses of the internet alone.
    static func isPublic(_ host: String) -> Bool {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard getaddrinfo(name, nil, &hints, &found) == 0, let first = found else { return false }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: { $0.pointee.ai_next }).allSatisfy { info in
            guard let address = info.pointee.ai_addr else { return false }
            let bytes = UnsafeRawBufferPointer(start: address, count: Int(info.pointee.ai_addrlen))
            switch info.pointee.ai_family {
            case AF_INET: return isPublic(v4: Array(bytes[4..<8]))
            case AF_INET6: return isPublic(v6: Array(bytes[8..<24]))
            default: return false
            }
        }
    }

    /// The registry of special-purpose addresses (RFC 6890).
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
        // An IPv4 address in an IPv6 one, mapped or translated, is what it is.
        if head == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] || head == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] {
            return isPublic(v4: Array(bytes[12..<16]))
        }
        // Global unicast is 2000::/3; within it 2001:db8::/32 is for documentation, 2002::/16 wraps IPv4.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        if bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return false }
        return bytes.starts(with: [0x20, 0x02]) ? isPublic(v4: Array(bytes[2..<6])) : true
    }
}
