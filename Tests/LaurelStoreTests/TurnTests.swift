// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelStore
import StoreTesting
import Synchronization
import Testing

/// Writers of several processes take turns.
@Suite struct TurnTests {
    private final class Busy: Sendable {
        let isOver = Atomic(false)
        let writes = Atomic(0)
    }

    /// Holds the write lock all the time, except for the moment between two writes.
    private func occupy(_ path: String, _ busy: Busy) -> pthread_t {
        let box = Unmanaged.passRetained(Box { TurnTests.writeOnAndOn(path, busy) })
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { argument in
                Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            },
            box.toOpaque()
        )
        return thread
    }

    private static func writeOnAndOn(_ path: String, _ busy: Busy) {
        guard let store = try? SQLiteStore(path: path, mode: .readWrite) else { return }
        while !busy.isOver.load(ordering: .relaxed) {
            try? store.write { _ in _ = usleep(20_000) }
            busy.writes.add(1, ordering: .relaxed)
        }
        store.close()
    }

    private final class Box: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    @Test func `a writer that comes back at once lets the one who waits go first`() throws {
        let path = TestStore.temporaryPath()
        let store = try SQLiteStore(path: path, mode: .readWrite)
        let busy = Busy()
        let thread = occupy(path, busy)
        while busy.writes.load(ordering: .relaxed) == 0 { usleep(1000) }
        let before = busy.writes.load(ordering: .relaxed)
        for _ in 0..<10 { try store.write { try $0.dropAllQuarantined() } }
        let meanwhile = busy.writes.load(ordering: .relaxed) - before
        busy.isOver.store(true, ordering: .relaxed)
        pthread_join(thread, nil)
        #expect(meanwhile <= 30, "\(meanwhile) writes of the other for 10 of ours")
        store.close()
        for suffix in ["", "-wal", "-shm", "-lock"] { unlink(path + suffix) }
        rmdir(String(path.dropLast("/laurel.db".count)))
    }
}
