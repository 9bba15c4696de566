// SPDX-License-Identifier: Apache-2.0

extension StoreSession {
    func learners(_ names: LearnerNames) throws -> [LearnerRecord?] {
        if case .subjects = names { try closeLearners() }
        var records = try tables.learners(names)
        if case .subjects(let subjects) = names { try followMerges(subjects, &records) }
        for position in records.indices where records[position] != nil {
            records[position]!.eventCount += count(of: records[position]!.id)?.added ?? 0
        }
        return records
    }

    func eventCounts(of learners: [Int64]) throws -> [Int] {
        var counts = learners.map { count(of: $0)?.stored }
        let unknown = counts.indices.filter { counts[$0] == nil }
        if !unknown.isEmpty {
            for (position, record) in zip(unknown, try tables.learners(.ids(unknown.map { learners[$0] }))) {
                counts[position] = record?.eventCount ?? 0
            }
        }
        return counts.map { $0! }
    }

    func learnerRanges() throws -> [Range<Int64>] {
        try tables.learnerRanges().map { $0.lowerBound..<$0.upperBound + 1 }
    }

    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws {
        try closeLearners()
        try tables.forEachLearner(body)
    }

    func learnerIDs(for subjects: [[UInt8]]) throws -> [Int64] {
        let homes = try subjects.map(part(named:))
        var ids = zip(homes, subjects).map { $0.openLearners.id(of: $1) }
        var unknown = ids.indices.filter { ids[$0] == nil }
        let records = unknown.isEmpty ? [] : try tables.learners(.subjects(unknown.map { subjects[$0] }))
        for (position, record) in zip(unknown, records) {
            guard let record else { continue }
            ids[position] = record.id
            let part = homes[position]
            part.openLearners.open(record.id, of: record.subject)
            if part.openLearners.counts[record.id] == nil {
                part.openLearners.open(record.id, events: record.eventCount)
            }
        }
        unknown.removeAll { ids[$0] != nil }
        guard !unknown.isEmpty else { return ids.map { $0! } }
        var met: Set<[UInt8]> = []
        let new = unknown.filter { met.insert(subjects[$0]).inserted }
        try checkAreNotMerged(new.map { subjects[$0] })
        for (position, id) in zip(new, try tables.addLearners(new.map { subjects[$0] })) {
            ids[position] = id
            homes[position].openLearners.open(id, of: subjects[position])
            homes[position].openLearners.open(id, events: 0)
        }
        // A subject that was requested twice has been added by now.
        return try new.count == unknown.count ? ids.map { $0! } : learnerIDs(for: subjects)
    }

    func lastEventTime(of learner: Int64) throws -> Int64? {
        try endAppending()
        return try tables.lastEventTime(of: learner)
    }

    func learners(where condition: LearnerCondition) throws -> [Int64] {
        try writeUnwritten()
        try closeLearners()
        return try tables.learners(where: condition)
    }

    func statistics() throws -> StoreStatistics {
        try writeUnwritten()
        return try tables.statistics()
    }
}
