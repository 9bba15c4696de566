// SPDX-License-Identifier: Apache-2.0

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
    package let message: String
    /// The advice to the operator; nil if nothing needs to be done.
    package let advice: String?
    /// The page with more information; nil if there is none.
    let link: Link?

    private enum CodingKeys: CodingKey {
        case check, status, message, advice
    }

    package init(_ check: String, _ status: Status, _ message: String, advice: String? = nil) {
        self.init(check, status, message, advice: advice, link: nil)
    }

    init(_ check: String, _ status: Status, _ message: String, advice: String? = nil, link: Link?) {
        (self.check, self.status, self.message, self.advice) = (check, status, message, advice)
        self.link = link
    }
}
