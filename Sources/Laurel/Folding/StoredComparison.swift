// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// Compares the stored progress of a learner with a replay.
final class StoredComparison {
    /// A stored state of the learner: the snapshot or a checkpoint.
    private struct Kept {
        var name: String
        /// The position of the checkpoint; nil for the snapshot.
        var checkpoint: CheckpointPoint?
        var position: EventPosition
    }

    private let reader: any StoreReader
    private let plan: FoldPlan
    private let learner: LearnerRecord
    private var kept: [Kept] = []
    private var wrong: [String] = []

    /// Reads the stored states. States under other rules or from an older fold are not compared, because they are never
    /// used.
    init(_ learner: LearnerRecord, _ reader: any StoreReader, _ plan: FoldPlan) throws {
        (self.learner, self.reader, self.plan) = (learner, reader, plan)
        // Only one state is in memory at a time. A state with a million words takes some hundred megabytes.
        for point in try reader.checkpoints(of: learner.id) {
            let name = "the checkpoint of \(Timestamp.utc(point.milliseconds))"
            guard let bytes = try bytes(point), let state = LearnerState(snapshot: bytes, plan: plan) else { continue }
            guard state.point == point, let position = state.position else {
                wrong.append("\(name) is of another place; what it holds")
                continue
            }
            kept.append(Kept(name: name, checkpoint: point, position: position))
        }
        if let bytes = try bytes(nil), let position = LearnerState(snapshot: bytes, plan: plan)?.position {
            kept.append(Kept(name: "the snapshot", checkpoint: nil, position: position))
        }
        kept.sort { $0.position < $1.position }
    }

    /// The positions of the stored states, ascending.
    var positions: [EventPosition] { kept.map(\.position) }

    /// Compares the replay's state at one of the positions.
    func reach(_ index: Int, _ state: LearnerState) throws {
        if try bytes(kept[index].checkpoint) != state.snapshot(plan: plan) { wrong.append(kept[index].name) }
    }

    /// - Parameter checkpoint: nil for the snapshot.
    private func bytes(_ checkpoint: CheckpointPoint?) throws -> [UInt8]? {
        guard let checkpoint else { return try reader.snapshot(of: learner.id) }
        return try reader.checkpoint(of: learner.id, before: checkpoint.milliseconds + 1)
    }

    /// The differences between the stored progress and the replay.
    /// - Parameter expected: the learner's rows in the tables of progress, as the replay computed them.
    func differences(_ expected: LearnerProjection) throws -> [String] {
        let name = String(decoding: learner.subject, as: UTF8.self)
        var differences: [String] = []
        do {
            if let stored = try reader.projection(of: learner.id) {
                differences += compare(stored, expected.normalised).map { "\(name): \($0)" }
            } else {
                differences.append("\(name): no progress is stored")
            }
        } catch let error as StoreError where error.code == .corrupt {
            // An error in one learner's rows does not prevent the comparison of other learners.
            differences.append("\(name): \(error.message)")
        }
        return differences + wrong.map { "\(name): \($0) is not what its events give" }
    }

    private func compare(_ stored: LearnerProjection, _ expected: LearnerProjection) -> [String] {
        guard stored != expected else { return [] }
        var differences = fields(stored, expected, "learner", ignoring: ["tracks"])
        let languages = stored.tracks.map { $0.language ?? "*" }
        let expectedLanguages = expected.tracks.map { $0.language ?? "*" }
        guard languages == expectedLanguages else {
            return differences + ["tracks \(languages) are stored, \(expectedLanguages) expected"]
        }
        for (one, other) in zip(stored.tracks, expected.tracks) where one != other {
            differences += fields(one, other, one.language ?? "*", ignoring: [])
        }
        return differences
    }

    /// Names every field that differs. It uses reflection, so that fields added later are compared, too.
    private func fields(_ stored: Any, _ expected: Any, _ subject: String, ignoring: Set<String>) -> [String] {
        zip(Mirror(reflecting: stored).children, Mirror(reflecting: expected).children).flatMap { one, other in
            guard let label = one.label, !ignoring.contains(label) else { return [] as [String] }
            if one.value is TrackNumbers || one.value is TrackCounts {
                return fields(one.value, other.value, subject, ignoring: [])
            }
            let (value, wanted) = (StoredComparison.text(one.value), StoredComparison.text(other.value))
            guard value != wanted else { return [] }
            return ["\(subject) \(label) is \(shortened(value)), should be \(shortened(wanted))"]
        }
    }

    /// A value as text for people, without optionals and type names.
    private static func text(_ value: Any) -> String {
        if let number = value as? NamedNumber { return "\(number.name) \(number.value)" }
        if let numbers = value as? NamedNumbers { return numbers.map(text).joined(separator: ", ") }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { text($0.value) } ?? "none"
        case .collection: return mirror.children.map { text($0.value) }.joined(separator: ", ")
        case .struct where !(value is any CustomStringConvertible):
            return mirror.children.map { "\($0.label ?? "") \(text($0.value))" }.joined(separator: " ")
        default: return "\(value)"
        }
    }

    private func shortened(_ text: String) -> String { text.count > 200 ? "\(text.prefix(200))…" : text }
}
