// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

extension Timestamp {
    /// The instant of a date, rounded to the millisecond, in UTC.
    public init(_ date: Date) { self.init(milliseconds: date.milliseconds) }

    /// The instant as a date. The offset is lost.
    public var date: Date { Date(milliseconds: milliseconds) }
}
