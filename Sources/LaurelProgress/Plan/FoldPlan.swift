// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// What a fold goes by: the versions of the rules, each in force from a local day on.
///
/// A learner is folded under one version at a time, and goes over from each to the next.
package final class FoldPlan: Sendable {
    /// Ascending by the days from which they are in force; at least one, the first of which has none.
    package let versions: [VersionPlan]
    /// `transitions[i]` leads from version i to the next.
    let transitions: [VersionTransition]
    /// Per version: SHA-256 of all that a state in it depends on besides events, as far as that is known when it is reached.
    private let hashes: [[UInt8]]
    /// The fields of `data` that the fold or an expression reads under any version; no other need be decoded.
    package let fieldNames: Set<String>
    /// The fields of `learner.updated` that only administrators may send under any version.
    package let administeredFields: Set<String>
    /// The names that the catalogue and any version know.
    package let knownNames: KnownNames

    package convenience init(rules: RuleSet) { self.init(versions: [(rules, nil)]) }

    /// - Precondition: ascending; the first has no day, every other has one.
    package init(versions: [(rules: RuleSet, from: LocalDay?)]) {
        precondition(!versions.isEmpty && versions[0].from == nil && versions.dropFirst().allSatisfy { $0.from != nil })
        let streak = StreakSchedule(versions.map { ($0.from, StreakTerms($0.rules.streak)) })
        let contexts = versions.indices.map { VersionContext($0, of: versions, streak) }
        let plans = zip(versions, contexts).map { VersionPlan(rules: $0.rules, $1) }
        self.versions = plans
        transitions = zip(plans, plans.dropFirst()).map(VersionTransition.init)
        let administered = Set(plans.flatMap(\.rules.administered))
        hashes = FoldPlan.hashes(plans, administered)
        fieldNames = plans.reduce(into: administered) { $0.formUnion($1.fieldNames) }
        administeredFields = administered.union(AdministeredEvents.profileFields)
        knownNames = plans.reduce(into: KnownNames()) { $0.declare($1.rules) }
    }

    /// The version that was applied to the latest days.
    package var latest: VersionPlan { versions[versions.count - 1] }

    /// The clock of ``latest``.
    package var clock: LocalClock { latest.clock }

    /// Whether states are exchangeable that were folded under either plan, and how they came there.
    package var hash: [UInt8] { hashes[versions.count - 1] }

    /// - Parameter administered: those of all versions, which decide for every version which events a discarded session voids.
    private static func hashes(_ plans: [VersionPlan], _ administered: Set<String>) -> [[UInt8]] {
        var hash = SHA256()
        if !administered.isEmpty {
            let listed = administered.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            hash.update(Array("administered \(listed.joined(separator: " "))\n".utf8))
        }
        return plans.map { plan in
            hash.update(plan.rules.foldedContent)
            let kept = "\(plan.from.map(\.description) ?? "") \(plan.keptForOthers)\n"
            hash.update(Array(kept.utf8))
            var upToHere = hash
            return upToHere.finish()
        }
    }
}

extension KnownNames {
    /// Adds what rules declare, and the ids of their achievements.
    package mutating func declare(_ rules: RuleSet) {
        declare(rules.declaredTypes)
        declare(achievements: rules.achievements.map(\.id))
    }
}

extension VersionPlan {
    /// What it keeps only because later versions go on with it, as text.
    fileprivate var keptForOthers: String {
        guard keepsMore else { return "" }
        let metrics = rules.metrics.indices.map { index in
            Window.allCases.map { keeps(metric: index, in: $0) ? "1" : "0" }.joined()
        }
        return (metrics + wordDetails.map { "\($0.slot)" }).joined(separator: " ")
    }
}

// MARK: Which version when

extension FoldPlan {
    /// No clock is further from UTC than this, in milliseconds.
    private static let furthestClock: Int64 = 86_400_000

    /// The instant before which nothing calls for a version, in milliseconds since 1970; nil where there is none after it.
    package func earliestCall(after version: Int) -> Int64? {
        guard version + 1 < versions.count, let from = versions[version + 1].from else { return nil }
        return Int64(from.number) * 86_400_000 - FoldPlan.furthestClock
    }

    /// The version that is in force on an instant's local day, which each version's own calendar tells.
    /// - Parameters:
    ///   - timezone: of the learner's clock, empty where unknown.
    ///   - offsetCode: of the learner's clock where the zone is unknown.
    package func version(at instant: Int64, offsetCode: Int16, timezone: UnsafeBufferPointer<UInt8>) -> VersionPlan {
        versions.last { version in
            guard let from = version.from else { return true }
            var clock = version.clock
            return clock.localTime(at: instant, offsetCode: offsetCode, timezone: timezone).day >= from
        } ?? versions[0]
    }

    /// The version that an instant falls under for nobody in particular: by the offset written in it, else by the
    /// version's own zone.
    package func version(at instant: Timestamp) -> VersionPlan {
        version(
            at: instant.milliseconds,
            offsetCode: instant.offset.code,
            timezone: UnsafeBufferPointer(start: nil, count: 0)
        )
    }

    /// The version that is in force on a date, whoever's clock told it.
    package func version(on day: LocalDay) -> VersionPlan {
        versions.last { $0.from.map { $0 <= day } ?? true } ?? versions[0]
    }
}

// MARK: Snapshots

extension FoldPlan {
    /// What a snapshot of a state begins with.
    func snapshotHead(_ state: LearnerState) -> [UInt8] {
        Array(hashes[state.version].prefix(8) + hash.prefix(8))
    }

    static let snapshotHeadLength = 16

    /// True if a snapshot is of these rules, as far as they reach up to its version.
    func holds(snapshotHead head: ArraySlice<UInt8>, version: Int) -> Bool {
        versions.indices.contains(version) && head.count == FoldPlan.snapshotHeadLength
            && head.prefix(8).elementsEqual(hashes[version].prefix(8))
    }

    /// True if it holds, for no version that was made the next one since can have been called for.
    /// - Parameter last: the instant of the last event folded.
    func holds(snapshotHead head: ArraySlice<UInt8>, version: Int, last: Int64?) -> Bool {
        guard holds(snapshotHead: head, version: version) else { return false }
        if head.dropFirst(8).elementsEqual(hash.prefix(8)) { return true }
        // A version that was added since may be called for by what the snapshot has folded under another.
        guard let call = earliestCall(after: version) else { return true }
        return last.map { $0 < call } ?? true
    }
}
