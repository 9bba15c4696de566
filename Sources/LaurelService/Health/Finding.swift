// SPDX-License-Identifier: Apache-2.0

import LaurelReports

/// The result of one check of a store, its machine or its service.
package struct Finding: Encodable, Sendable {
    package enum Status: String, Encodable, Sendable, Comparable, CaseIterable {
        case ok, warning, error

        package static func < (one: Status, other: Status) -> Bool { one.rank < other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The name of the check.
    package let check: String
    package let status: Status
    /// The message for people, and the advice to the operator; nil if nothing needs to be done.
    let text: PageText
    let adviceText: PageText?
    /// The page with more information; nil if there is none.
    let link: Link?

    /// The message in English.
    package var message: String { text.english }
    /// The advice in English.
    package var advice: String? { adviceText?.english }

    private enum CodingKeys: CodingKey {
        case check, status, message, advice
    }

    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(check, forKey: .check)
        try object.encode(status, forKey: .status)
        try object.encode(message, forKey: .message)
        try object.encodeIfPresent(advice, forKey: .advice)
    }

    /// A finding of a command, whose texts are English.
    package init(_ check: String, _ status: Status, english message: String, advice: String? = nil) {
        self.init(check, status, "\(message)", advice: advice.map { "\($0)" })
    }

    init(_ check: String, _ status: Status, _ text: PageText, advice: PageText? = nil, link: Link? = nil) {
        (self.check, self.status, self.text) = (check, status, text)
        (adviceText, self.link) = (advice, link)
    }
}
