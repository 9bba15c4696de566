// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSimulation
@_exported public import SeededRandom
import Testing

/// The lines of a simulation.
func simulated(
    learners: Int,
    days: Int,
    seed: UInt64,
    disorder: Bool = false,
    together: Bool = false
) -> [String] {
    var bytes: [UInt8] = []
    let options = Simulation.Options(
        learners: learners,
        days: days,
        seed: seed,
        disorder: disorder,
        together: together
    )
    Simulation(options).run { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}

/// An event as a line.
func line(
    _ id: String,
    _ type: String = "line.spoken",
    at time: String = "2026-02-05T10:00:00Z",
    by subject: String = "ana",
    source: String = "app",
    data: String? = nil,
    session: String? = nil
) -> String {
    let data = data.map { #","data":\#($0)"# } ?? ""
    let session = session.map { #","session":"\#($0)""# } ?? ""
    return
        #"{"id":"\#(id)","source":"\#(source)","type":"\#(type)","subject":"\#(subject)","time":"\#(time)"\#(session)\#(data)}"#
}

/// A line's event, as JSON.
struct JSONLine: Hashable {
    let value: JSONValue

    init(_ line: String) throws { value = try #require(JSONValue(validated: Array(line.utf8)), "\(line)") }

    subscript(name: String) -> String {
        if case .object(let members) = value, case .string(let text)? = members[name] { text } else { "" }
    }

    var instant: Timestamp { try! Timestamp(self["time"]) }

    /// `id`, `source` and `subject`: the event's identity.
    var identity: [String] { [self["subject"], self["source"], self["id"]] }
}
