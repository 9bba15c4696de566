// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Rules, settings, and what is remembered of copies.
extension StoreSession {
    // MARK: Rules

    func rules(_ list: RulesList) throws -> [RulesRecord] { try tables.rules(list) }

    // MARK: Settings

    private static let service = "service/"
    static let timeZones = "time_zones"

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

    func setting(_ setting: StoreSetting) throws -> String? {
        switch setting {
        case .rulesKey:
            return try remembered(\.rulesKey) {
                let versions = try tables.rulesInForce()
                return versions.isEmpty ? nil : RulesKey.key(versions)
            }
        case .timeZones:
            let name = StoreSession.timeZones
            return try tables.settings(prefix: name, before: nil, limit: 1, side: .first).first { $0.name == name }?
                .value
        case .foldVersion: return "\(try remembered(\.foldVersion) { UInt64(clamping: try tables.counter(.fold)) })"
        }
    }

    // MARK: Copies

    func forEachCopy(of learner: Int64?, _ body: (Int64, RememberedCopy) throws -> Void) throws {
        try tables.forEachCopy(of: learner, body)
    }

    func write(_ copies: [String: [UInt8]?], of learner: Int64) throws {
        let sorted = copies.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        try tables.write(sorted.map { ($0.key, $0.value) }, of: learner)
    }
}
