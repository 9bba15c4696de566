import Glibc
import Synchronization

/// Runs one body on every core and waits for all.
enum Workers {
    static func run(_ body: @escaping @Sendable () throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        let box = Box {
            do { try body() } catch { failure.withLock { $0 = error } }
        }
        var threads: [pthread_t] = []
        for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
            var thread = pthread_t()
            let started = pthread_create(
                &thread,
                nil,
                { argument in
                    Unmanaged<Box>.fromOpaque(argument!).takeUnretainedValue().run()
                    return nil
                },
                Unmanaged.passUnretained(box).toOpaque()
            )
            guard started == 0 else { break }
            threads.append(thread)
        }
        if threads.isEmpty { box.run() }
        for thread in threads { pthread_join(thread, nil) }
        withExtendedLifetime(box) {}
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private final class Box: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
