// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelWire

/// The body of a request: a JSON object with known members.
protocol JSONBody: Decodable, SendableMetatype {
    /// An example of a valid body.
    static var example: String { get }
}

extension JSONBody {
    static var shape: BodyShape { BodyShape(["application/json": [Self.self]], example: example) }

    /// Reads a body. Unknown members are refused. If a misspelt limit were ignored, a key would have more rights than
    /// intended.
    static func read(_ bytes: [UInt8]) throws(Problem) -> Self {
        let data = Data(bytes)
        guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw Problem(400, "invalid-json", "the body must be a JSON object, such as \(example)")
        }
        let members = Schemas.members(of: Self.self).map(\.name)
        for name in object.keys.sorted() where !members.contains(name) {
            let nearest = nearestName(to: name, among: members)
            throw Problem(
                400,
                "unknown-member",
                "the body has a member “\(name.prefix(64))” that is not known here"
                    + (nearest.map { didYouMean($0) } ?? "; known are \(members.joined(separator: ", "))")
            )
        }
        if members.contains("scopes") { try checkScopes(object["scopes"]) }
        do {
            return try LaurelJSON.decode(Self.self, from: data)
        } catch DecodingError.keyNotFound(let key, _) {
            throw Problem(
                400,
                "invalid-json",
                "the member “\(key.stringValue)” is missing; a body that works: \(example)"
            )
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            let member = context.codingPath.first?.stringValue ?? ""
            throw Problem(
                400,
                "invalid-json",
                "the member “\(member)” has a value of another type; a body that works: \(example)"
            )
        } catch {
            throw Problem(400, "invalid-json", "the body must be as \(example)")
        }
    }

    private static func checkScopes(_ scopes: Any?) throws(Problem) {
        for name in (scopes as? [Any])?.compactMap({ $0 as? String }) ?? [] where Scope(rawValue: name) == nil {
            let nearest = nearestName(to: name, among: Scope.allCases.map(\.rawValue))
            throw Problem(
                422,
                "invalid-scope",
                "there is no scope “\(name.prefix(64))”"
                    + (nearest.map { didYouMean($0) } ?? "; there are \(Scope.names)")
            )
        }
    }
}
