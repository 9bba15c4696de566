// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelWire

/// A request's body as a JSON object with known members.
enum JSONBody {
    /// Reads a body. A member that is not known is refused: left out, a misspelt limit would widen a right.
    /// - Parameters:
    ///   - members: the names that are known.
    ///   - example: a body that works.
    ///   - scopes: whether its member `scopes` lists scopes.
    static func read<Body: Decodable>(
        _ bytes: [UInt8],
        members: [String],
        example: String,
        scopes: Bool = false
    ) throws(Problem) -> Body {
        let data = Data(bytes)
        guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw Problem(400, "invalid-json", "the body must be a JSON object, such as \(example)")
        }
        for name in object.keys.sorted() where !members.contains(name) {
            let nearest = nearestName(to: name, among: members)
            throw Problem(
                400,
                "unknown-member",
                "the body has a member “\(name.prefix(64))” that is not known here"
                    + (nearest.map { "; did you mean \($0)?" } ?? "; known are \(members.joined(separator: ", "))")
            )
        }
        if scopes { try check(object["scopes"]) }
        do {
            return try LaurelJSON.decode(Body.self, from: data)
        } catch {
            throw Problem(400, "invalid-json", "the body must be as \(example)")
        }
    }

    private static func check(_ scopes: Any?) throws(Problem) {
        for name in (scopes as? [Any])?.compactMap({ $0 as? String }) ?? [] where Scope(rawValue: name) == nil {
            let nearest = nearestName(to: name, among: Scope.allCases.map(\.rawValue))
            throw Problem(
                422,
                "invalid-scope",
                "there is no scope “\(name.prefix(64))”"
                    + (nearest.map { "; did you mean \($0)?" } ?? "; there are \(Scope.names)")
            )
        }
    }
}
