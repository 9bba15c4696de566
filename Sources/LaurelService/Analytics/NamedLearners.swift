// SPDX-License-Identifier: Apache-2.0

import Laurel
import Synchronization

/// The users for whom public keys may send events. The ids of these users first came with a public key. Anybody can
/// read a public key in a page. So such a key may not send events for a learner whom the store knows from another
/// sender.
final class NamedLearners: Sendable {
    /// The maximum number of cached ids.
    private static let mostCached = 10_000

    private let engine: ProgressEngine
    private let cached = Mutex<Set<String>>([])

    init(_ engine: ProgressEngine) { self.engine = engine }

    /// The users among `users` for whom a public key may send events. Users whom the store does not know yet are
    /// included. The store then records that their ids first came with a public key.
    func open(among users: Set<String>) throws(EngineError) -> Set<String> {
        let users = users.filter { !$0.hasPrefix(AnalyticsMessage.anonymousPrefix) }
        let known = cached.withLock { cached in users.filter(cached.contains) }
        let rest = users.subtracting(known)
        guard !rest.isEmpty else { return known }
        let names = rest.map(ServiceRecordName.named)
        let noted = try engine.serviceRecords(prefixes: names)
        var (open, new): (Set<String>, [String: String?]) = (known, [:])
        for user in rest {
            let name = ServiceRecordName.named(user)
            if noted[name] == nil {
                guard try !engine.learner(user).isKnown() else { continue }
                new[name] = "1"
            }
            open.insert(user)
        }
        if !new.isEmpty { try engine.setServiceRecords(new) }
        remember(open)
        return open
    }

    /// Empties the cache, because an erasure has deleted the store's note about a learner.
    func forget() { cached.withLock { $0 = [] } }

    private func remember(_ users: Set<String>) {
        cached.withLock { cached in
            if cached.count + users.count > Self.mostCached { cached = [] }
            cached.formUnion(users)
        }
    }
}
