// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Rules, settings, kept copies of apps' stores, and notes.
extension StoreSession {
    // MARK: Rules

    func rules() throws -> [RulesRecord] { try tables.rules() }
    func rulesHistory() throws -> [RulesRecord] { try tables.rulesHistory() }

    func rulesKey() throws -> String? {
        try cached(\.rulesKey) {
            let versions = try tables.rulesInForce()
            return versions.isEmpty ? nil : RulesKey.key(versions)
        }
    }

    func setRules(_ rules: RulesRecord) throws {
        try touchAllLearners()
        writerCache.rulesKey = nil
        try tables.insert(rules)
    }

    func withdrawRules(from day: LocalDay) throws {
        try touchAllLearners()
        writerCache.rulesKey = nil
        try tables.withdrawRules(from: day)
    }

    // MARK: Settings

    private static let service = "service/"
    private static let timeZones = "time_zones"

    func timeZones() throws -> String? {
        let name = StoreSession.timeZones
        return try tables.settings(prefix: name, before: nil, limit: 1, side: .first).first { $0.name == name }?.value
    }

    func setTimeZones(_ version: String) throws { try tables.setSetting(StoreSession.timeZones, version) }

    func foldVersion() throws -> UInt64 {
        try cached(\.foldVersion) { UInt64(clamping: try tables.foldVersion()) }
    }

    func setFoldVersion(_ version: UInt64) throws {
        writerCache.foldVersion = nil
        try tables.setFoldVersion(Int64(clamping: version))
    }

    func serviceRecords(prefix: String, before end: String?, limit: Int, side: RecordSide) throws -> [String: String] {
        let service = StoreSession.service
        let records = try tables.settings(
            prefix: service + prefix,
            before: end.map { service + $0 },
            limit: limit,
            side: side
        )
        return Dictionary(records.map { (String($0.name.dropFirst(service.count)), $0.value) }) { first, _ in first }
    }

    func setServiceRecord(_ name: String, _ value: String?) throws {
        try tables.setSetting(StoreSession.service + name, value)
    }

    // MARK: Copies

    func forEachCopy(of learner: Int64?, _ body: (Int64, RememberedCopy) throws -> Void) throws {
        try tables.forEachCopy(of: learner, body)
    }

    func remember(_ copies: [String: [UInt8]?], of learner: Int64) throws {
        let sorted = copies.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        try tables.write(sorted.map { ($0.key, $0.value) }, of: learner)
    }

    // MARK: Notes

    func forEachNote(of learner: Int64?, _ body: (Int64, NoteRecord) throws -> Void) throws {
        try tables.forEachNote(of: learner, body)
    }

    func write(_ notes: [NoteRecord], of learner: Int64) throws { try tables.write(notes, of: learner) }
    func deleteNotes(_ ids: [String], of learner: Int64) throws { try tables.deleteNotes(ids, of: learner) }
}
