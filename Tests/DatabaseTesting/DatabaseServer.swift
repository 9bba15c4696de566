// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A PostgreSQL server for one test process. It is created in a temporary folder on first use, listens on a socket
/// there, and is removed with the process, however that ends.
public final class DatabaseServer: Sendable {
    /// The folder of the socket.
    public let folder: String
    public let user = "laurel"
    private let binaries: String
    /// The words before the server's commands, such as those that change the user.
    private let prefix: [String]
    private let lastSchema = Atomic<Int>(0)

    /// The server; nil if PostgreSQL is not installed.
    public static let shared: DatabaseServer? = {
        guard let binaries else { return nil }
        do {
            guard isDistributed else { return try DatabaseServer(binaries, settings: ["fsync=on"]) }
            let servers = try (0..<3).map { _ in try DatabaseServer(binaries, settings: ["fsync=on"] + citusSettings) }
            try servers[0].coordinate(Array(servers.dropFirst()))
            return servers[0]
        } catch {
            fatalError("the PostgreSQL server for tests does not start: \(error)")
        }
    }()

    /// True if Citus distributes the stores. The server must then have Citus.
    public static let isDistributed = ProcessInfo.processInfo.environment["LAUREL_TEST_CITUS"] != nil

    /// The settings of a server with Citus. Each test makes the shards of its tables, so there are few.
    private static let citusSettings = [
        "shared_preload_libraries=citus", "citus.shard_count=4", "citus.node_conninfo=sslmode=disable",
    ]

    /// Makes the server the coordinator of a Citus cluster.
    private func coordinate(_ workers: [DatabaseServer]) throws {
        for server in [self] + workers { try server.ask("CREATE EXTENSION citus") }
        try ask("SELECT citus_set_coordinator_host('\(folder)', 5432)")
        for worker in workers { try ask("SELECT citus_add_node('\(worker.folder)', 5432)") }
    }

    private func ask(_ sql: String) throws {
        let log = "\(folder)/log"
        try Self.run("\(binaries)/psql -Xq -h \(folder) -U \(user) postgres -c \"\(sql)\" >>\(log) 2>&1", log: log)
    }

    /// The folder of the server's programs. Debian does not add it to the path.
    public static let binaries: String? = {
        if let named = ProcessInfo.processInfo.environment["LAUREL_TEST_POSTGRESQL"] { return named }
        let folders =
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.sorted(by: >)
            .map { "/usr/lib/postgresql/\($0)/bin" } ?? []
        return (folders + ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"]).first {
            FileManager.default.isExecutableFile(atPath: "\($0)/initdb")
                && FileManager.default.isExecutableFile(atPath: "\($0)/pg_ctl")
        }
    }()

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// - Parameter settings: settings of the server, as `name=value`.
    public convenience init(_ binaries: String, settings: [String]) throws {
        try self.init(binaries)
        try execute(["\(binaries)/initdb", "-D", data, "-U", user, "-A trust -E UTF8 --locale=C -k -N"])
        try start(settings)
    }

    /// Creates a standby of another server, which answers reads.
    public convenience init(_ binaries: String, standbyOf primary: DatabaseServer) throws {
        try self.init(binaries)
        try execute(["\(binaries)/pg_basebackup", "-h", primary.folder, "-U", user, "-D", data, "-X stream -c fast -R"])
        try start([])
    }

    private init(_ binaries: String) throws {
        var template = Array("\(Self.quickFolder)/laurel-pg-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no temporary folder") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.binaries = binaries
        // PostgreSQL refuses to run as root.
        let asRoot = geteuid() == 0
        if asRoot { chown(folder, 65534, 65534) }
        prefix = asRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    }

    /// A folder in memory, if it has room for a server. No test needs its data after the process.
    private static let quickFolder: String = {
        var room = statvfs()
        let isRoomy = statvfs("/dev/shm", &room) == 0 && UInt64(room.f_bavail) * UInt64(room.f_frsize) > 4 << 30
        return isRoomy ? "/dev/shm" : "/tmp"
    }()

    private var data: String { "\(folder)/data" }
    private var immediateStop: [String] { ["\(binaries)/pg_ctl", "-D", data, "-m", "immediate", "stop"] }

    private func start(_ settings: [String]) throws {
        let options = ["listen_addresses=", "max_connections=200"] + settings
        let given = (["-k \(folder)"] + options.map { "-c \($0)" }).joined(separator: " ")
        try execute(["\(binaries)/pg_ctl", "-D", data, "-w -t 300 -o \"\(given)\" start"])
        try watch(prefix + immediateStop)
    }

    /// Runs a command as the server's user.
    private func execute(_ command: [String]) throws {
        let log = "\(folder)/log"
        try Self.run((prefix + command + ["</dev/null >>\(log) 2>&1"]).joined(separator: " "), log: log)
    }

    /// Stops the server at once, as if the machine had failed.
    public func stop() throws { try execute(immediateStop) }

    /// Promotes the standby.
    public func promote() throws { try execute(["\(binaries)/pg_ctl", "-D", data, "-w -t 300 promote"]) }

    /// Starts a process that waits for the end of this one, then stops the server and removes its folder. The process
    /// has its own session, so that signals to the tests do not reach it.
    private func watch(_ stop: [String]) throws {
        let script =
            "while kill -0 \(getpid()) 2>/dev/null; do sleep 0.2; done;"
            + " \(stop.joined(separator: " ")); rm -rf \(folder)"
        try Self.run("setsid sh -c '\(script)' </dev/null >/dev/null 2>&1 &", log: "/dev/null")
    }

    /// Runs a command in a shell, because Foundation waits for all descendants of the processes that it starts.
    private static func run(_ command: String, log: String) throws {
        guard system("cd /tmp; \(command)") != 0 else { return }
        let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw Failure(description: "\(command): \(said)")
    }

    /// The address of a new schema.
    public func newLocation() -> String {
        location(schema: "t\(getpid())_\(lastSchema.add(1, ordering: .relaxed).newValue)")
    }

    /// The address of a schema in a new database, for tests that must not wait for other tests' transactions. Deleted
    /// rows stay in the tables until all earlier transactions in the database have ended.
    public func newDatabase() throws -> String {
        let name = "d\(getpid())_\(lastSchema.add(1, ordering: .relaxed).newValue)"
        let log = "\(folder)/\(name).log"
        try Self.run(
            "\(Self.binaries ?? "")/psql -XAtq -h \(folder) -U \(user) -d postgres -c 'CREATE DATABASE \(name)' >\(log) 2>&1",
            log: log
        )
        return newLocation().replacing("postgresql:///postgres?", with: "postgresql:///\(name)?")
    }

    /// The address of a store in a new database, restored from a compressed dump.
    /// - Parameters:
    ///   - dump: the output of `pg_dump`, compressed with zstd.
    ///   - schema: the store's schema in the dump.
    public func restore(_ dump: String, schema: String) throws -> String {
        let location = try newDatabase()
        let name = Self.database(of: location)
        let log = "\(folder)/\(name).log"
        try Self.run(
            "zstd -dqc '\(dump)' | \(Self.binaries ?? "")/psql -Xq -v ON_ERROR_STOP=1 -h \(folder) -U \(user) -d \(name) >\(log) 2>&1",
            log: log
        )
        return "postgresql:///\(name)?host=\(folder)&user=\(user)&schema=\(schema)"
    }

    /// The name of the database in an address on this server.
    public static func database(of location: String) -> String {
        String(location.dropFirst("postgresql:///".count).prefix { $0 != "?" })
    }

    /// The address of a schema on whichever of two servers accepts writes.
    public func location(schema: String, or other: DatabaseServer) -> String {
        "postgresql:///postgres?host=\(folder),\(other.folder)&user=\(user)&schema=\(schema)"
    }

    public func location(schema: String, port: Int = 5432) -> String {
        "postgresql:///postgres?host=\(folder)&user=\(user)&port=\(port)&schema=\(schema)"
    }
}
