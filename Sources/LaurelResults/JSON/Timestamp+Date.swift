// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

extension Timestamp {
    /// An instant to the millisecond, in UTC.
    public init(_ date: Date) { self.init(milliseconds: date.milliseconds) }

    /// The instant, to the millisecond.
    public var date: Date { Date(milliseconds: milliseconds) }
}
