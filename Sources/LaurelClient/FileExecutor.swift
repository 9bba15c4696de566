// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A serial executor with a separate thread. File operations may block this thread, but not the threads of Swift's
/// tasks.
final class FileExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "laurel.outbox", qos: .utility)

    func enqueue(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
