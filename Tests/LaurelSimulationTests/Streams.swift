// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelSimulation
import Testing

/// All events of a simulation, and the number that it reports.
func stream(_ options: Simulation.Options) -> (bytes: [UInt8], count: Int) {
    var bytes: [UInt8] = []
    let count = Simulation(options).run { bytes.append(contentsOf: $0) }
    return (bytes, count)
}

func lines(_ options: Simulation.Options) -> [Substring] {
    String(decoding: stream(options).bytes, as: UTF8.self).split(separator: "\n")
}

func events(_ options: Simulation.Options) throws -> [[String: Any]] {
    try lines(options).map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}

func instant(_ event: [String: Any]) throws -> Date {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return try format.parse(try #require(event["time"] as? String))
}

func identity(_ event: [String: Any]) -> String {
    "\(event["source"] ?? "") \(event["id"] ?? "")"
}

/// The first fields of an event.
struct Head {
    let type: Substring
    let learner: Substring
    /// The time as the event says it.
    let time: Substring

    init(_ line: Substring) throws {
        // The fields are always in the same order: specversion, id, source, type, subject, time.
        let parts = line.split(separator: "\"", maxSplits: 24)
        try #require(parts.count > 23, "\(line)")
        try #require([parts[13], parts[17], parts[21]] == ["type", "subject", "time"], "\(line)")
        (type, learner, time) = (parts[15], parts[19], parts[23])
    }
}
