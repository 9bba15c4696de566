// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelWire
import Synchronization

/// Replaces learners' ids in logs by a keyed hash, such as `~5d0c8a1b92f3`. The key is random, stays in memory, and
/// changes each day (UTC). So the log lines of a learner can be linked for at most a day. Without the key, nobody can
/// compute the hash of an id.
final class LearnerHash: Sendable {
    private let now: @Sendable () -> Date
    private let key = Mutex<(day: Int64, bytes: [UInt8])>((.min, []))
    /// The maximum number of characters of a path that are logged.
    private static let mostLetters = 512

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    func callAsFunction(_ id: String) -> String {
        let day = now().milliseconds / 86_400_000
        let bytes = key.withLock { key in
            if key.day != day { key = (day, Secrets.random(32)) }
            return key.bytes
        }
        return "~" + String(HMACSHA256(key: bytes).hash(Array(id.utf8)).hexadecimal.prefix(12))
    }

    /// A path in which each segment after `learners` is replaced by a hash.
    func path(_ path: String) -> String {
        // A quick check for most requests, which send events. A path without an l and without an escape has no segment
        // `learners`.
        let mayNameLearner = path.utf8.contains { $0 == UInt8(ascii: "l") || $0 == UInt8(ascii: "%") }
        guard mayNameLearner || path.utf8.count > Self.mostLetters else { return path }
        var isLearner = false
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            let text = PercentCoding.decode(part) ?? String(part)
            defer { isLearner = text == "learners" || (isLearner && part.isEmpty) }
            return isLearner && !part.isEmpty ? self(text) : String(part)
        }
        return String(parts.joined(separator: "/").prefix(Self.mostLetters))
    }

    /// A caller's name in which a learner's id is replaced by a hash.
    func caller(_ name: String) -> String {
        guard name.hasPrefix(Caller.learnerPrefix) else { return name }
        return Caller.learnerPrefix + self(String(name.dropFirst(Caller.learnerPrefix.count)))
    }
}
