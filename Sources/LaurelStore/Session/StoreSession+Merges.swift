// SPDX-License-Identifier: Apache-2.0

/// Merges of learners. The id of a merged learner has no row in `learners`. So only an id without such a row is looked up
/// among the merges, and known learners cost no further query.
extension StoreSession {
    func merges(of subjects: [[UInt8]]) throws -> [MergeRecord] { try tables.merges(of: subjects) }
    func merges(into subjects: [[UInt8]]) throws -> [MergeRecord] { try tables.merges(into: subjects) }
    func forEachMerge(_ body: (MergeRecord) throws -> Void) throws { try tables.forEachMerge(body) }

    /// Looks up merged ids. Sets their missing records to the records of the learners they were merged into.
    /// - Parameter records: for each subject, the learner of exactly that id; nil if there is none.
    func followMerges(_ subjects: [[UInt8]], _ records: inout [LearnerRecord?]) throws {
        let missing = records.indices.filter { records[$0] == nil }
        guard !missing.isEmpty else { return }
        let current = try currentNames(of: missing.map { subjects[$0] })
        let merged = missing.filter { current[subjects[$0]] != nil }
        guard !merged.isEmpty else { return }
        let found = try tables.learners(.subjects(merged.map { current[subjects[$0]]! }))
        for (position, record) in zip(merged, found) { records[position] = record }
    }

    func merge(_ merge: MergeRecord) throws {
        let part = try part(named: merge.subject)
        if let learner = try tables.learners(.subjects([merge.subject]))[0] {
            let target = try currentNames(of: [merge.target])[merge.target] ?? merge.target
            try moveAttachments(of: learner.id, to: try learnerIDs(for: [target])[0])
            // The other learner now has the events of the same languages.
            try remove(learner.id, of: part, keepsNames: true)
        } else {
            // A stream of the merged id now follows the other learner.
            try touchAllLearners(of: [part])
        }
        try tables.insert(merge)
    }

    /// Moves notes and kept copies of apps' stores. If both learners have a note or copy of the same name, the one of
    /// the merged learner is dropped.
    private func moveAttachments(of learner: Int64, to target: Int64) throws {
        var (copies, notes): ([RememberedCopy], [NoteRecord]) = ([], [])
        try tables.forEachCopy(of: learner) { copies.append($1) }
        try tables.forEachNote(of: learner) { notes.append($1) }
        try tables.forEachCopy(of: target) { _, known in copies.removeAll { $0.name == known.name } }
        try tables.forEachNote(of: target) { _, known in notes.removeAll { $0.id == known.id } }
        if !copies.isEmpty { try tables.write(copies.map { ($0.name, $0.data) }, of: target) }
        if !notes.isEmpty { try tables.write(notes, of: target) }
    }
}
