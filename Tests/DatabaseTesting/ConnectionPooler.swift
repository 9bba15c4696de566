// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A pgbouncer in front of a server, which runs transactions in a few shared sessions. It stops with the last
/// reference, or with the process.
public final class ConnectionPooler: Sendable {
    /// The port of its socket, which is in the server's folder.
    public let port: Int
    private let folder: String

    public static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// - Parameter sessions: the number of its sessions with the server.
    public init(before server: DatabaseServer, port: Int = 6432, sessions: Int) throws {
        guard let program = Self.program else {
            throw DatabaseServer.Failure(description: "pgbouncer is not installed")
        }
        self.port = port
        folder = server.folder
        let settings = """
            [databases]
            postgres = host=\(folder) port=5432 user=\(server.user)
            [pgbouncer]
            listen_addr =
            listen_port = \(port)
            unix_socket_dir = \(folder)
            auth_type = any
            pool_mode = transaction
            default_pool_size = \(sessions)
            max_client_conn = 200
            logfile = \(folder)/pgbouncer.log
            pidfile = \(folder)/pgbouncer.pid
            """
        try settings.write(toFile: "\(folder)/pgbouncer.ini", atomically: true, encoding: .utf8)
        let asNobody = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        let start = "cd /tmp; \(asNobody)\(program) -q -d \(folder)/pgbouncer.ini </dev/null >/dev/null 2>&1"
        guard system(start) == 0 else {
            throw DatabaseServer.Failure(description: "pgbouncer does not start: \(start)")
        }
        for _ in 0..<100 where !FileManager.default.fileExists(atPath: "\(folder)/.s.PGSQL.\(port)") { usleep(50_000) }
        let watch = "while kill -0 \(getpid()) 2>/dev/null; do sleep 0.2; done; kill $(cat \(folder)/pgbouncer.pid)"
        _ = system("setsid sh -c '\(watch)' </dev/null >/dev/null 2>&1 &")
    }

    deinit { _ = system("kill $(cat \(folder)/pgbouncer.pid) 2>/dev/null") }
}
