// SPDX-License-Identifier: Apache-2.0

/// The result of one check.
struct Finding: Encodable {
    enum Status: String, Encodable {
        case ok, warning, error
    }

    /// The name of the check.
    let check: String
    let status: Status
    let message: String
    /// The advice; nil if nothing is to be done.
    let advice: String?

    init(_ check: String, _ status: Status, _ message: String, advice: String? = nil) {
        (self.check, self.status, self.message, self.advice) = (check, status, message, advice)
    }
}
