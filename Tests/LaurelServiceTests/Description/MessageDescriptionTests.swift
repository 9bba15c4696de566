// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelWire
import Testing

@testable import LaurelService

@Suite struct MessageDescriptionTests {
    @Test(arguments: Announcement.Kind.allCases) func `each message is described with an example`(
        kind: Announcement.Kind
    ) throws {
        let example = OpenAPI.example(kind)
        let message: JSONValue = [
            "type": .string(kind.rawValue), "timestamp": "2026-04-05T18:00:00.000Z", "data": example,
        ]
        #expect(DescribedAnswer.problems(ofMessage: Array(message.json.utf8)) == [])
        #expect(DescribedAnswer.problems(ofMessage: Array(#"{"type":"\#(kind.rawValue)"}"#.utf8)) != [])
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let document = try String(contentsOf: root.appending(path: "docs/service.md"), encoding: .utf8)
        #expect(document.contains("`\(kind.rawValue)`"), "docs/service.md does not name \(kind.rawValue)")
    }
}
