// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelResults
import LaurelWire

/// A mark that describes the state of the store from which the tables were made.
struct TableMark {
    let tables: [String]
    let commit: CommitPosition
    /// The instant up to which events count.
    let asOf: Timestamp
    /// A text for all other inputs that decide the rows: the store, the program and the rules.
    let origin: String

    init(tables: [String], commit: CommitPosition, asOf: Timestamp, origin: String) {
        (self.tables, self.commit, self.asOf, self.origin) = (tables, commit, asOf, origin)
    }

    /// Reads the values that ``values`` returned. Returns nil if they are incomplete.
    init?(_ values: [String: String]) {
        guard let tables = values["tables"], let commit = values["commit"].flatMap(CommitPosition.init),
            let asOf = values["as_of"].flatMap({ try? Timestamp($0) }), let origin = values["origin"]
        else { return nil }
        self.init(tables: tables.split(separator: " ").map(String.init), commit: commit, asOf: asOf, origin: origin)
    }

    var values: [(name: String, value: String)] {
        [
            ("tables", tables.joined(separator: " ")), ("commit", "\(commit)"),
            ("as_of", Timestamp.utc(asOf.milliseconds)), ("origin", origin),
        ]
    }
}

extension FoldPlan {
    /// True if a version of the rules comes into force for any learner between two instants.
    func changes(from start: Timestamp, to end: Timestamp) -> Bool {
        // A learner's local day may differ from that of UTC by a day.
        let first = LocalDay(containing: start.milliseconds).number - 1
        let last = LocalDay(containing: end.milliseconds).number + 1
        return first <= last
            && versions.contains { version in version.from.map { (first...last).contains($0.number) } ?? false }
    }
}
