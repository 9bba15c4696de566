// SPDX-License-Identifier: Apache-2.0

/// What the doctor says of one thing.
struct Finding: Encodable {
    enum Status: String, Encodable {
        case ok, warning, error
    }

    /// What was looked at.
    let check: String
    let status: Status
    let message: String
    /// What to do; nil where nothing is.
    let advice: String?

    init(_ check: String, _ status: Status, _ message: String, advice: String? = nil) {
        (self.check, self.status, self.message, self.advice) = (check, status, message, advice)
    }
}
