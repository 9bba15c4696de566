// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
import LaurelStore

/// Merges learners.
extension ProgressEngine {
    /// Merges a learner into another learner. A merge cannot be undone. Afterwards, all events of the merged learner,
    /// stored or still to come, count as events of the other learner. The merged id means the other learner in all
    /// calls. The merged learner's tokens become invalid. Both learners may be without events. The same merge again has
    /// no effect.
    /// - Parameters:
    ///   - learner: the id of the learner to merge. It may have been merged already; then the learner that it means is
    ///     merged.
    ///   - other: the id of the learner that stays.
    ///   - actor: the actor for the audit log; nil for no entry.
    ///   - date: the instant to record.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/sameLearner`` if both ids already mean the same learner.
    /// - Complexity: O(events of both learners).
    @discardableResult
    public func merge(
        _ learner: String,
        into other: String,
        by actor: AuditActor? = nil,
        at date: Date = Date()
    ) throws(EngineError) -> MergeOutcome {
        try merge(learner, into: other, by: actor, at: date, ifAllIDs: nil)
    }

    /// Merges like ``merge(_:into:by:at:)``, on a condition that is checked in the same transaction.
    /// - Parameter isAllowed: the condition that the merged learner's id, and all ids merged into it, must satisfy; nil
    ///   for none.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/notAnonymous`` if an id does not satisfy the condition.
    package func merge(
        _ learner: String,
        into other: String,
        by actor: AuditActor?,
        at date: Date,
        ifAllIDs isAllowed: ((String) -> Bool)?
    ) throws(EngineError) -> MergeOutcome {
        let named = (subject: Array(learner.utf8), target: Array(other.utf8))
        return try EngineError.translating {
            for id in [named.subject, named.target] where !(1...256).contains(id.count) {
                throw EngineError(.invalidRequest, "a learner's id has 1 to 256 bytes; this one has \(id.count)")
            }
            return try MergeRun(self, named: named, actor: actor, date: date, isAllowed: isAllowed).run()
        }
    }

    /// The id of the learner that an id means: the id itself unless it was merged.
    public func currentID(of learner: String) throws(EngineError) -> String {
        try EngineError.translating {
            let subject = Array(learner.utf8)
            return try store.read { try $0.currentNames(of: [subject])[subject] }
                .map { String(decoding: $0, as: UTF8.self) } ?? learner
        }
    }

    /// Returns the ids that were merged.
    /// - Parameter ids: the ids to look up, as bytes.
    package func mergedIDs(among ids: [[UInt8]]) throws(EngineError) -> Set<[UInt8]> {
        try EngineError.translating { try store.read { Set(try $0.merges(of: ids).map(\.subject)) } }
    }

    /// All merges of the store, the oldest first.
    public func merges() throws(EngineError) -> [LearnerMerge] {
        try EngineError.translating {
            var merges: [LearnerMerge] = []
            try store.read { try $0.forEachMerge { merges.append(LearnerMerge($0)) } }
            return merges
        }
    }
}

extension ProgressEngine {
    /// Makes a merge that an export has listed, unless it was made already.
    func mergeAgain(_ merge: LearnerMerge) throws(EngineError) {
        do throws(EngineError) {
            try self.merge(merge.merged, into: merge.into, at: merge.at)
        } catch {
            guard error.code == .sameLearner else { throw error }
        }
    }
}

extension LearnerMerge {
    /// Reads a line of an export; nil if the line is not a merge.
    init?(line: some Collection<UInt8>) {
        // A merge has two ids of at most 256 bytes.
        guard line.count < 4096, line.starts(with: #"{""#.utf8),
            let merge = try? LaurelJSON.decode(LearnerMerge.self, from: Data(line))
        else { return nil }
        self = merge
    }

    init(_ record: MergeRecord) {
        self.init(
            merged: String(decoding: record.subject, as: UTF8.self),
            into: String(decoding: record.target, as: UTF8.self),
            at: Date(milliseconds: record.milliseconds)
        )
    }
}
