// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The input that is being read, to be saved if the process ends by it.
private let current = Mutex<(target: String, bytes: [UInt8])>(("", []))

/// Mutates inputs for some time, or a number of times. Each target has turns of a second.
struct Campaign {
    var targets: [FuzzTarget]
    var seed: UInt64
    var seconds: Double

    /// - Returns: the number of inputs read, by target.
    func run() throws -> [(name: String, inputs: Int)] {
        Campaign.keepInputsThatEndIt()
        var runs = try targets.map { target in
            let inputs = target.seeds() + Corpus.inputs(target.name).map(\.bytes)
            let seed = target.name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) }
            return (
                target, read: try target.make(), next: Mutation(inputs, tokens: target.tokens, seed: seed), count: 0
            )
        }
        for place in runs.indices { replay(runs[place].0, runs[place].read, &runs[place].count) }
        let share = max(0.05, min(1, seconds / Double(4 * runs.count)))
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            for place in runs.indices {
                let turn = min(end, Date(timeIntervalSinceNow: share))
                while Date() < turn {
                    for _ in 0..<8 {
                        read(runs[place].next.next(), runs[place].0, runs[place].read)
                        runs[place].count += 1
                    }
                }
            }
        }
        return runs.map { ($0.0.name, $0.count) }
    }

    /// Reads the stored inputs unchanged.
    private func replay(_ target: FuzzTarget, _ reader: ([UInt8]) throws -> Void, _ count: inout Int) {
        for bytes in target.seeds() + Corpus.inputs(target.name).map(\.bytes) {
            read(bytes, target, reader)
            count += 1
        }
    }

    private func read(_ bytes: [UInt8], _ target: FuzzTarget, _ reader: ([UInt8]) throws -> Void) {
        current.withLock { $0 = (target.name, bytes) }
        alarm(20)
        // A refusal is an error, which is expected.
        try? reader(bytes)
    }

    /// Saves the bytes of an input that traps or takes too long, and prints the file's name to standard error.
    private static func keepInputsThatEndIt() {
        for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM] {
            signal(number) { number in
                let (target, bytes) = current.withLockIfAvailable { $0 } ?? ("unknown", [])
                let path = "/tmp/fuzz-\(target)-\(getpid())"
                _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
                let what = number == SIGALRM ? "takes more than 20 s" : "ended the process (signal \(number))"
                FileHandle.standardError.write(
                    Data(
                        "\nan input of \(target) \(what); it is kept in \(path)\nagain: LaurelFuzz \(target) \(path)\n"
                            .utf8
                    )
                )
                signal(number, SIG_DFL)
                if number == SIGALRM { _exit(1) }
                raise(number)
            }
        }
    }
}
