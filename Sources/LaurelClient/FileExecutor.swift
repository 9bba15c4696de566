// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A thread's worth of work at a time, off the pool that Swift's tasks share: files may keep it waiting.
final class FileExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "laurel.outbox", qos: .utility)

    func enqueue(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
