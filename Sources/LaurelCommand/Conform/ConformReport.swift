// SPDX-License-Identifier: Apache-2.0

/// The result of `laurel conform`.
struct ConformReport: Encodable {
    let seed: UInt64
    let kills: Int
    /// The number of connections that were refused or cut.
    let cuts: Int
    /// The number of requests with events that reached the relay completely.
    let requests: Int
    /// The number of requests for each kind of trouble.
    let troubles: [String: Int]
    /// The number of events that the client reported as recorded.
    let recorded: Int
    /// The number of the trial's events in the service.
    let stored: Int
    /// The number of events that the relay refused.
    let refused: Int
    /// The broken promises, a sentence for each.
    let breaches: [String]
}
