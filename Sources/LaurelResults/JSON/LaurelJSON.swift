// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelWire

/// The JSON of results, as the command line prints it with `--json`.
///
/// Members are in the documented order. A nil member is written as null, unless its documentation says that it is left
/// out. Instants are RFC 3339 in UTC with milliseconds. Days are `YYYY-MM-DD`. Whole numbers have no decimal point.
public enum LaurelJSON {
    /// Writes a value as JSON on one line.
    /// - Throws: the errors of the value's `encode(to:)`. The results of this library never throw.
    /// - Complexity: O(size of the result).
    public static func encode(_ value: some Encodable) throws -> Data {
        let output = JSONOutput()
        try output.encode(value)
        return Data(output.bytes)
    }

    /// Reads a result from JSON that this library, the command line or a service wrote.
    /// - Throws: `DecodingError`.
    /// - Complexity: O(size of the JSON).
    public static func decode<Result: Decodable>(_ type: Result.Type, from data: Data) throws -> Result {
        try decoder.decode(type, from: data)
    }

    /// A decoder for your own documents that contain results. It reads instants in the format of results.
    public static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            do {
                return Date(milliseconds: try Timestamp(text).milliseconds)
            } catch {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
            }
        }
        return decoder
    }
}

extension Date {
    /// - Parameter milliseconds: milliseconds since 1970, in UTC.
    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Milliseconds since 1970, rounded to the nearest. A date outside the range of events becomes the nearest instant
    /// in it.
    package var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard milliseconds > Double(Timestamp.range.lowerBound) else { return Timestamp.range.lowerBound }
        return milliseconds < Double(Timestamp.range.upperBound) ? Int64(milliseconds) : Timestamp.range.upperBound
    }
}

extension Int {
    /// The number without its fraction. A number beyond the range of `Int`, which occurs only in damaged data, becomes
    /// the nearest `Int`. NaN becomes 0.
    package init(whole number: Double) {
        self = Int(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
