// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelWire

/// The store's notes about settled weeks of a league. A note is written in one transaction with the results, so a week
/// is settled once, even if several nodes try it. The results are then ingested in parts. Each part is a record until
/// its events are stored.
enum LeagueRecords {
    /// The content of a settled week's record.
    struct Week: Codable {
        var firstDay: LocalDay
        /// The number of settlements: 1, and one more for each amendment.
        var settlements: Int
    }

    /// The prefix of the records about settled weeks.
    static func weeks(of league: String) -> String { "\(ServiceRecordName.leagues)\(league)/week/" }
    static func record(of week: LeagueWeek) -> String { weeks(of: week.rule.name) + week.name }
    /// The record with a day of the first week, if that is the week of the first run.
    static func start(of league: String) -> String { "\(ServiceRecordName.leagues)\(league)/start" }
    /// The prefix of the records with results that are not ingested yet.
    static func parts(of league: String) -> String { "\(ServiceRecordName.leagues)\(league)/part/" }

    /// The records of parts, by name.
    /// - Parameters:
    ///   - name: the name of the week's record.
    ///   - now: the present time.
    static func parts(of league: String, _ name: String, _ events: [Event], now: Date) throws -> [String: String] {
        var records: [String: String] = [:]
        for start in stride(from: 0, to: events.count, by: partSize) {
            let results = events[start..<min(start + partSize, events.count)].map {
                Result(
                    erasure: ServiceRecordName.erasure(of: $0.subject),
                    event: String(decoding: $0.encoded, as: UTF8.self)
                )
            }
            let part = try LaurelJSON.encode(Part(decidedAt: now.milliseconds, results: results))
            records["\(parts(of: league))\(name)/\(padded(start / partSize, 8))"] = String(
                decoding: part,
                as: UTF8.self
            )
        }
        return records
    }

    /// Results that are not ingested yet.
    struct Part: Codable {
        /// The instant of the settlement's transaction, in milliseconds since 1970.
        var decidedAt: Int64
        var results: [Result]
    }

    struct Result: Codable {
        /// The name of the record that an erasure of the learner writes.
        var erasure: String
        /// The `league.finished` event as JSON.
        var event: String
    }

    /// The number of events in a part. A part is stored in one transaction, so that other clients wait only shortly.
    private static let partSize = 500
}
