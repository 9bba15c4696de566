// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelWire

/// The JSON of results: what the command line prints with `--json`.
///
/// Members come in the documented order, and a nil member is written as null. Instants are RFC 3339 in UTC
/// with milliseconds, days `YYYY-MM-DD`, whole numbers without a point.
public enum LaurelJSON {
    /// One value as JSON, on one line.
    /// - Throws: `EncodingError`, only for values that are not results.
    /// - Complexity: O(size of the result).
    public static func encode(_ value: some Encodable) throws -> Data {
        let output = JSONOutput()
        try output.encode(value)
        return Data(output.bytes)
    }

    /// A result from its JSON, wherever that was made: by this library, the command line or a service.
    /// - Throws: `DecodingError`.
    public static func decode<Result: Decodable>(_ type: Result.Type, from data: Data) throws -> Result {
        try decoder.decode(type, from: data)
    }

    /// For results within documents of your own.
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
    /// - Parameter milliseconds: since 1970.
    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Since 1970, to the nearest; of dates that no event can have, the nearest that one can.
    package var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard milliseconds > Double(Timestamp.range.lowerBound) else { return Timestamp.range.lowerBound }
        return milliseconds < Double(Timestamp.range.upperBound) ? Int64(milliseconds) : Timestamp.range.upperBound
    }
}

extension Int {
    /// The whole number that a double is. Of what none is, as damage can make it, the nearest; 0 for no number at all.
    package init(whole number: Double) {
        self = Int(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
