import LaurelEvents
import LaurelProgress
import LaurelStore

/// Compares what is stored of a learner with what a replay gives.
struct StoredComparison {
    let reader: any StoreReader
    let plan: FoldPlan

    func differences(_ learner: LearnerRecord, _ expected: LearnerProjection, _ runs: [EventRun]) throws -> [String] {
        let name = String(decoding: learner.subject, as: UTF8.self)
        var differences: [String] = []
        if let stored = try reader.projection(of: learner.id) {
            differences += compare(stored, expected.normalised).map { "\(name): \($0)" }
        } else {
            differences.append("\(name): no progress is stored")
        }
        if let bytes = try reader.snapshot(of: learner.id), try !snapshotHolds(bytes, runs) {
            differences.append("\(name): the snapshot is not what its events give")
        }
        return differences
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

    /// Names every field that differs. By reflection, so that no field added later is forgotten.
    private func fields(_ stored: Any, _ expected: Any, _ place: String, ignoring: Set<String>) -> [String] {
        zip(Mirror(reflecting: stored).children, Mirror(reflecting: expected).children).compactMap { one, other in
            guard let label = one.label, !ignoring.contains(label) else { return nil }
            let (value, wanted) = (StoredComparison.text(one.value), StoredComparison.text(other.value))
            guard value != wanted else { return nil }
            return "\(place) \(label) is \(shortened(value)), should be \(shortened(wanted))"
        }
    }

    /// A value as a person writes it: no optionals, no type names.
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

    private func snapshotHolds(_ bytes: [UInt8], _ runs: [EventRun]) throws -> Bool {
        // One of other rules, or of an older fold, is not used, so it cannot be wrong.
        guard let snapshot = LearnerState(snapshot: bytes, plan: plan), let position = snapshot.position else {
            return true
        }
        let folder = LearnerFolder(plan: plan)
        folder.refold(runs, through: position)
        return folder.state.encoded() == snapshot.encoded()
    }
}
