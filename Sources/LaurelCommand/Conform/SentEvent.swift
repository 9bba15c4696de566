// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line of a batch.
struct SentEvent: Sendable {
    /// The source and the id of an event.
    struct Identity: Hashable, Sendable, Decodable {
        var source, id: String
    }

    var bytes: [UInt8]
    /// Nil if the line is not an event with a source and an id.
    var identity: Identity?
    /// The learner; nil if the line has none.
    var learner: String?
    /// The event's mark, by which the client reports the event: the text in `data.line`. It is nil if there is none.
    var mark: String?

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        let data = Data(self.bytes)
        let decoder = JSONDecoder()
        identity = try? decoder.decode(Identity.self, from: data)
        let rest = try? decoder.decode(Rest.self, from: data)
        (learner, mark) = (rest?.subject, rest?.data?.line)
    }

    /// The events of NDJSON.
    static func events(_ body: [UInt8]) -> [SentEvent] {
        body.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(SentEvent.init)
    }

    private struct Rest: Decodable {
        struct Fields: Decodable {
            var line: String?
        }

        var subject: String?
        var data: Fields?
    }
}
