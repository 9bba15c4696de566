// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Synchronization
import Testing

@testable import LaurelStore

/// A store has one canonical path. Files beside it have the store's owner and mode.
@Suite struct StorePathTests {
    private let folder: String
    private var path: String { folder + "/laurel.db" }

    init() { folder = String(TestStore.temporaryPath().dropLast("/laurel.db".count)) }

    private func store(_ path: String, _ mode: StoreMode = .readWrite, timeout: Double = 0.05) throws
        -> SQLiteStore
    {
        var options = StoreOptions()
        options.lockTimeout = timeout
        return try SQLiteStore(path: path, mode: mode, options: options)
    }

    private func status(_ path: String) -> stat {
        var status = stat()
        #expect(lstat(path, &status) == 0, "\(path)")
        return status
    }

    private func clean() { _ = system("rm -rf '\(folder)'") }

    /// Each name leads to `laurel.db`, from the folder.
    @Test(arguments: ["link.db", "far.db", "sub/../laurel.db", "./laurel.db", "other/laurel.db", "sub/up.db"])
    func everyNameTakesTheSameLock(name: String) throws {
        defer { clean() }
        mkdir(folder + "/sub", 0o700)
        symlink("laurel.db", folder + "/link.db")
        symlink(path, folder + "/far.db")
        symlink(folder, folder + "/other")
        symlink("../laurel.db", folder + "/sub/up.db")
        let one = try store(path)
        let other = try store("\(folder)/\(name)")
        try one.write { transaction throws in
            _ = try transaction.append([TestEvent(id: "e1")])
            #expect(storeError { try other.write { _ in } }?.code == .busy)
        }
        try other.write { _ = try $0.append([TestEvent(id: "e2")]) }
        #expect(try one.read { try $0.statistics() }.events == 2)
        one.close()
        other.close()
        for left in ["link.db-lock", "link.db-wal", "far.db-lock", "sub/up.db-lock"] {
            #expect(access("\(folder)/\(left)", F_OK) != 0, "\(left)")
        }
    }

    /// Two processes may create one store at the same time.
    @Test func `a file that somebody else is just making has its place`() throws {
        defer { clean() }
        let isOver = Atomic(false)
        let path = path
        var threads = Threads()
        threads.start {
            while !isOver.load(ordering: .relaxed) {
                close(open(path, O_RDWR | O_CREAT, 0o600))
                unlink(path)
            }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            threads.join()
        }
        for _ in 0..<20_000 { #expect(try StorePath(path).path.hasSuffix("/laurel.db")) }
    }

    @Test func aLinkThatLeadsNowhereYetLeadsToTheNewStore() throws {
        defer { clean() }
        mkdir(folder + "/data", 0o700)
        symlink("data/school.db", path)
        #expect(storeError { _ = try store(path, .readOnly) }?.code == .notFound)
        try store(path).write { _ = try $0.append([TestEvent(id: "e1")]) }
        #expect(access(folder + "/data/school.db", F_OK) == 0 && access(folder + "/data/school.db-lock", F_OK) == 0)
        #expect(access(path + "-lock", F_OK) != 0)
    }

    @Test func aFileWithTwoNamesIsRefused() throws {
        defer { clean() }
        try store(path).close()
        link(path, folder + "/second.db")
        for name in ["laurel.db", "second.db"] {
            for mode in [StoreMode.readOnly, .readWrite] {
                let error = storeError { _ = try store("\(folder)/\(name)", mode) }
                #expect(error?.code == .ambiguousName)
                #expect(error?.message.contains("2 names (hard links)") == true)
            }
        }
        unlink(folder + "/second.db")
        #expect(storeError { _ = try store(path) } == nil)
    }

    @Test func aRelativeNameStaysTheSameWhereverTheProcessGoes() throws {
        defer { clean() }
        let here = String(cString: getcwd(nil, 0))
        let steps = here.split(separator: "/").map { _ in ".." }.joined(separator: "/")
        let test = try store("\(steps)\(path)")
        chdir("/")
        defer { chdir(here) }
        try test.write { _ = try $0.append([TestEvent(id: "e1")]) }
        #expect(try test.read { try $0.statistics() }.events == 1)
        #expect(test.path == String(cString: realpath(path, nil)))
    }

    @Test func aStoreThatWasReplacedIsNotWrittenAnyMore() throws {
        defer { clean() }
        let old = try store(path)
        try old.write { _ = try $0.append([TestEvent(id: "e1")]) }
        rename(path, folder + "/moved.db")
        #expect(storeError { try old.write { _ in } }?.message.contains("was moved or replaced") == true)
        try store(path).write { _ = try $0.append([TestEvent(id: "e1"), TestEvent(id: "e2")]) }
        #expect(storeError { try old.write { _ in } }?.message.contains("was moved or replaced") == true)
        #expect(try store(path, .readOnly).read { try $0.statistics() }.events == 2)
    }

    @Test func aLockThatWasRemovedIsMadeAgain() throws {
        defer { clean() }
        let one = try store(path)
        try one.write { _ in }
        unlink(path + "-lock")
        try one.write { _ = try $0.append([TestEvent(id: "e1")]) }
        #expect(access(path + "-lock", F_OK) == 0)
    }

    @Test func whatIsNoFileIsRefused() throws {
        defer { clean() }
        mkfifo(path, 0o600)
        mkdir(folder + "/sub", 0o700)
        for mode in [StoreMode.readOnly, .readWrite] {
            #expect(storeError { _ = try store(path, mode) }?.message.contains("is a pipe") == true)
            #expect(storeError { _ = try store(folder + "/sub", mode) }?.message.contains("is a folder") == true)
            #expect(storeError { _ = try store("/dev/null", mode) }?.message.contains("is a device") == true)
            #expect(storeError { _ = try store("", mode) }?.message.contains("name is empty") == true)
        }
        #expect(access(path + "-lock", F_OK) != 0)
    }

    @Test(arguments: [UInt32(0o600), 0o640, 0o666]) func newFilesHaveTheModeThatIsAskedFor(mode: UInt32) throws {
        defer { clean() }
        var options = StoreOptions()
        options.newFileMode = mode
        let test = try SQLiteStore(path: path, mode: .readWrite, options: options)
        try test.write { _ = try $0.append([TestEvent(id: "e1")]) }
        for suffix in ["", "-lock", "-wal", "-shm"] {
            #expect(status(path + suffix).st_mode & 0o777 == mode, "\(suffix)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func theLockIsTheStoreOwners() throws {
        defer { clean() }
        try store(path).close()
        unlink(path + "-lock")
        chown(path, 1234, 2345)
        chmod(path, 0o660)
        let test = try store(path)
        try test.withShadow { try test.write { _ in } }
        for suffix in ["", "-lock", "-apply", "-wal", "-shm"] {
            let status = status(path + suffix)
            #expect(status.st_uid == 1234 && status.st_gid == 2345 && status.st_mode & 0o777 == 0o660, "\(suffix)")
        }
    }
}
