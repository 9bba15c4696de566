// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// The properties of a new token for a learner.
struct TokenTerms: JSONBody {
    /// The learner's id.
    var learner: String
    /// The rights: ingest, read or both; read if they are left out.
    var scopes: [Scope]?
    /// Event types that the token may send besides the ordinary ones.
    var types: [String]?
    /// Lifetime in seconds, 1 to 86400; 3600 if it is left out.
    var ttl: Int?

    static let example = #"{"learner":"ana","scopes":["read"],"ttl":3600}"#
}

/// A token for one learner.
struct Token: Codable {
    /// Lifetime in seconds, at most 86400.
    var expiresIn: Int
    /// Learner that the token is for.
    var learner: String
    /// The rights: ingest, read or both.
    var scopes: [Scope]
    /// The token, a JWT to be sent as Bearer.
    var token: String
}

/// The operations on learners' tokens, for the route and the page.
enum TokenRoutes {
    static func token(
        _ wanted: TokenTerms,
        by caller: Caller,
        _ engine: ProgressEngine,
        at date: Date
    ) throws(Problem) -> LearnerToken {
        let (scopes, seconds) = (wanted.scopes ?? [.read], wanted.ttl ?? 3600)
        func invalid(_ detail: String) -> Problem { Problem(422, "invalid-token", detail) }
        if wanted.learner.isEmpty { throw invalid("the token needs a learner") }
        guard !scopes.isEmpty, Set(scopes).isSubset(of: [.ingest, .read]) else {
            throw invalid("a token has the scopes ingest, read, or both")
        }
        guard (1...LearnerToken.longest).contains(seconds) else {
            throw invalid("ttl is \(seconds) seconds; a token holds 1 to \(LearnerToken.longest)")
        }
        if let missing = scopes.first(where: { !caller.may($0) }) {
            throw Problem(403, "missing-scope", "your key lacks the scope \(missing.rawValue), and cannot give it")
        }
        let types = wanted.types ?? []
        guard types.isEmpty || scopes.contains(.ingest) else { throw invalid("types need the scope ingest") }
        guard types.isEmpty || caller.may(.decree) else {
            throw Problem(403, "missing-scope", "giving a token types by decree needs the scope decree")
        }
        let learner: String
        // Tokens of a merged id are invalid. A new token is for the learner that the id belongs to now.
        do { learner = try engine.currentID(of: wanted.learner) } catch { throw Problem(error) }
        return LearnerToken(
            learner: learner,
            scopes: scopes,
            seconds: seconds,
            types: types.isEmpty ? nil : types,
            madeBy: caller.key,
            at: date
        )
    }
}
