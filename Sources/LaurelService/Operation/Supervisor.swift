// SPDX-License-Identifier: Apache-2.0

public import LaurelHTTP
import LaurelSystem

/// The interface to systemd, and to other supervisors with the same protocol.
public enum Supervisor {
    /// The sockets that were opened for this process (`sd_listen_fds(3)`).
    public static func inheritedSockets() -> [ListeningSocket] {
        guard environment("LISTEN_PID").flatMap({ pid_t($0) }) == getpid(),
            let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), (1...16).contains(count)
        else { return [] }
        return (3..<3 + count).compactMap { ListeningSocket(inherited: $0) }
    }

    /// Reports the state of the process (`sd_notify(3)`), if a supervisor listens.
    /// - Parameter state: `READY=1` or `STOPPING=1`.
    public static func notify(_ state: String) {
        guard let path = environment("NOTIFY_SOCKET"), let first = path.utf8.first else { return }
        guard first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // In the name of an abstract socket, an at sign stands for a NUL byte.
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        #if canImport(Glibc)
            let type = Int32(SOCK_DGRAM.rawValue)
        #else
            let type = SOCK_DGRAM
        #endif
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let message = Array(state.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, message, message.count, 0, $0, size)
            }
        }
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
