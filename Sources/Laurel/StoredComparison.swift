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
        differences += try wrongSnapshots(of: learner.id, runs).map { "\(name): \($0) is not what its events give" }
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

    /// Names the snapshots that do not hold. One of other rules, or of an older fold, is not used, so it cannot be wrong.
    private func wrongSnapshots(of learner: Int64, _ runs: [EventRun]) throws -> [String] {
        var kept: [(name: String, state: LearnerState)] = []
        for place in try reader.checkpoints(of: learner) {
            guard let bytes = try reader.checkpoint(of: learner, before: place.milliseconds + 1),
                let state = LearnerState(snapshot: bytes, plan: plan)
            else { continue }
            let time = Timestamp.utc(place.milliseconds)
            let name = "the checkpoint of \(time)"
            kept.append((name, state))
            if state.place != place { return ["\(name) is of another place; what it holds"] }
        }
        if let bytes = try reader.snapshot(of: learner), let state = LearnerState(snapshot: bytes, plan: plan) {
            kept.append(("the snapshot", state))
        }
        kept = kept.filter { $0.state.position != nil }.sorted { $0.state.position! < $1.state.position! }
        guard !kept.isEmpty else { return [] }
        let folder = LearnerFolder(plan: plan)
        var wrong: [String] = []
        folder.refold(runs, stoppingAt: kept.map { $0.state.position! }) { index in
            if folder.state.encoded() != kept[index].state.encoded() { wrong.append(kept[index].name) }
        }
        return wrong
    }
}
