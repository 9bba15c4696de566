// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// The plan of a fold: the versions of the rules, each in force from a local day on.
///
/// A learner is folded under one version at a time. The learner's state is converted from each version to the next.
package final class FoldPlan: Sendable {
    /// The versions, ascending by the day from which they are in force. There is at least one version. The first
    /// version has no such day, because it is in force from the beginning.
    package let versions: [VersionPlan]
    /// The conversions; `transitions[i]` converts a state from version i to version i + 1.
    let transitions: [VersionTransition]
    /// For each version, the SHA-256 of all inputs of a state in that version, except events. The rules up to that
    /// version are among the inputs.
    private let hashes: [[UInt8]]
    /// The fields of `data` that the fold or an expression reads under any version. Other fields need not be decoded.
    package let fieldNames: Set<String>
    /// The fields of `learner.updated` that only administrators may send under any version.
    package let administeredFields: Set<String>
    /// The names in the catalogue and in any version.
    package let knownNames: KnownNames

    package convenience init(rules: RuleSet) { self.init(versions: [(rules, nil)]) }

    /// - Precondition: the versions are ascending. All versions but the first have a day.
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

    /// The last version.
    package var latest: VersionPlan { versions[versions.count - 1] }

    /// The clock of the latest version.
    package var clock: LocalClock { latest.clock }

    /// The hash of the plan. If two plans have equal hashes, a state that was folded under one plan is valid under the
    /// other.
    package var hash: [UInt8] { hashes[versions.count - 1] }

    /// - Parameter administered: the administered fields of all versions. Every version uses them to decide which
    ///   events a discarded session voids.
    private static func hashes(_ plans: [VersionPlan], _ administered: Set<String>) -> [[UInt8]] {
        var hash = SHA256()
        if !administered.isEmpty {
            let listed = administered.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            hash.update(Array("administered \(listed.joined(separator: " "))\n".utf8))
        }
        return plans.map { plan in
            hash.update(plan.rules.foldedContent)
            let kept = "\(plan.from.map(\.description) ?? "") \(plan.keptForLaterVersions)\n"
            hash.update(Array(kept.utf8))
            var upToHere = hash
            return upToHere.finish()
        }
    }
}

extension KnownNames {
    /// Adds the event types that rules declare, and the ids of their achievements.
    package mutating func declare(_ rules: RuleSet) {
        declare(rules.declaredTypes)
        declare(achievements: rules.achievements.map(\.id))
    }
}

extension VersionPlan {
    /// The values that are stored only for later versions, written as text for the hash.
    fileprivate var keptForLaterVersions: String {
        var later = learnerFields.filter { $0.slot == nil }.map { "\($0.name):\($0.type)" }
        if keepsGifts, !rules.givesGifts { later.append("gifts") }
        later += limitedTypes.filter { $0.kept > $0.limit?.atMost ?? -1 }.map { "limit \($0.name):\($0.kept)" }
        guard keepsMore else { return later.joined(separator: " ") }
        let metrics = rules.metrics.indices.map { index in
            rules.layout.windows.map { keeps(metric: index, in: $0) ? "1" : "0" }.joined()
        }
        return (metrics + wordDetails.map { "\($0.slot)" } + later).joined(separator: " ")
    }
}

// MARK: The version in force

extension FoldPlan {
    /// The maximum distance of a clock from UTC, in milliseconds.
    private static let furthestClock: Int64 = 86_400_000

    /// The first instant at which the next version can be in force for a learner, in milliseconds since 1970; nil for
    /// the last version.
    package func earliestCall(after version: Int) -> Int64? {
        guard version + 1 < versions.count, let from = versions[version + 1].from else { return nil }
        return Int64(from.number) * 86_400_000 - FoldPlan.furthestClock
    }

    /// The version in force on the local day of an instant. For each version, its own calendar decides the local day.
    /// - Parameters:
    ///   - instant: milliseconds since 1970.
    ///   - timezone: the zone of the learner's clock; empty if unknown.
    ///   - offsetCode: the offset of the learner's clock, used if the zone is unknown.
    package func version(at instant: Int64, offsetCode: Int16, timezone: UnsafeBufferPointer<UInt8>) -> VersionPlan {
        versions.last { version in
            guard let from = version.from else { return true }
            var clock = version.clock
            return clock.localTime(at: instant, offsetCode: offsetCode, timezone: timezone).day >= from
        } ?? versions[0]
    }

    /// The version in force on the local day of an instant, without a learner's clock. The day is computed with the
    /// offset written in the instant; if there is none, in the version's own zone.
    package func version(at instant: Timestamp) -> VersionPlan {
        version(
            at: instant.milliseconds,
            offsetCode: instant.offset.code,
            timezone: UnsafeBufferPointer(start: nil, count: 0)
        )
    }

    /// The version in force on a date.
    package func version(on day: LocalDay) -> VersionPlan {
        versions.last { $0.from.map { $0 <= day } ?? true } ?? versions[0]
    }
}

// MARK: Snapshots

extension FoldPlan {
    /// The first bytes of a state's snapshot: hashes that identify the rules.
    func snapshotHead(_ state: LearnerState) -> [UInt8] {
        Array(hashes[state.version].prefix(8) + hash.prefix(8))
    }

    static let snapshotHeadLength = 16

    /// True if a snapshot was made under these rules, up to the snapshot's version.
    func holds(snapshotHead head: ArraySlice<UInt8>, version: Int) -> Bool {
        versions.indices.contains(version) && head.count == FoldPlan.snapshotHeadLength
            && head.prefix(8).elementsEqual(hashes[version].prefix(8))
    }

    /// True if the snapshot is still valid, because no version added since can apply to the snapshot's events.
    /// - Parameter last: the instant of the last folded event, in milliseconds since 1970.
    func holds(snapshotHead head: ArraySlice<UInt8>, version: Int, last: Int64?) -> Bool {
        guard holds(snapshotHead: head, version: version) else { return false }
        if head.dropFirst(8).elementsEqual(hash.prefix(8)) { return true }
        // An added version may apply to events that were folded under another version for the snapshot.
        guard let call = earliestCall(after: version) else { return true }
        return last.map { $0 < call } ?? true
    }
}
