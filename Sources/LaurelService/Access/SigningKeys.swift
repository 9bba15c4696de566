// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Laurel
import LaurelResults

/// The keys in a store that sign learners' tokens.
public struct SigningKeys: Sendable {
    private static let prefixes = [ServiceRecords.signingKeys, ServiceRecords.formerSecret]
    private let engine: ProgressEngine

    public init(_ engine: ProgressEngine) { self.engine = engine }

    /// Makes the first key of a store. A key of version 0.2 stays valid for a day, and so do its tokens.
    func ensure(at date: Date) throws(EngineError) {
        try engine.updateServiceRecords(prefixes: Self.prefixes) { all in
            var changes = Self.replacingFormerSecret(in: all, at: date)
            let signs = ServiceRecords(all).signingKeys.contains { $0.endsAt == nil }
            if !signs { Self.add(.make(at: date), &changes) }
            return changes
        }
    }

    /// Makes a new key, which signs all tokens from now on.
    /// - Parameters:
    ///   - now: true if earlier keys become invalid at once, with their tokens. If false, they stay valid for 24 hours,
    ///     until all their tokens have expired.
    ///   - date: the time of creation.
    ///   - actor: the actor for the audit log; nil for no entry.
    /// - Returns: the number of earlier keys that now have an expiry.
    @discardableResult
    public func rotate(
        now: Bool,
        at date: Date = Date(),
        auditing actor: AuditActor? = nil
    ) throws(EngineError) -> Int {
        var ending = 0
        try engine.updateServiceRecords(prefixes: Self.prefixes) { all in
            var changes = Self.replacingFormerSecret(in: all, at: date)
            let former = ServiceRecords(changes.compactMapValues(\.self)).signingKeys
            let known = ServiceRecords(all).signingKeys + former
            ending = known.count
            if let actor {
                changes.add(
                    AuditNote(.signingKeyRotated, by: actor, details: ["ends": now ? "at once" : "in 24 hours"])
                )
            }
            for var key in known {
                if now {
                    changes.updateValue(nil, forKey: key.recordName)
                } else if key.endsAt == nil {
                    key.endsAt = date + Double(LearnerToken.longest)
                    changes[key.recordName] = ServiceRecords.text(key)
                }
            }
            Self.add(.make(at: date), &changes)
            return changes
        }
        return ending
    }

    /// Turns the secret of version 0.2 into a signing key that expires in a day.
    private static func replacingFormerSecret(in all: [String: String], at date: Date) -> [String: String?] {
        guard let secret = all[ServiceRecords.formerSecret] else { return [:] }
        let end = date + Double(LearnerToken.longest)
        let former = SigningKey(id: nil, secret: secret, createdAt: date, endsAt: end)
        return [former.recordName: ServiceRecords.text(former), ServiceRecords.formerSecret: nil]
    }

    private static func add(_ key: SigningKey, _ changes: inout [String: String?]) {
        changes[key.recordName] = ServiceRecords.text(key)
    }
}

/// A signing key in a file, such as a credential of systemd. A copy of the store does not contain this key.
enum SigningKeyFile {
    private static let lengths = 32...4096

    /// Reads a key.
    /// - Throws: ``EngineError`` if the file cannot be read, or is too short for a secret.
    static func read(_ path: String) throws -> SigningKey {
        var bytes = try ProgressEngine.read(path, limit: lengths.upperBound)
        while let last = bytes.last, [0x0A, 0x0D, 0x20].contains(last) { bytes.removeLast() }
        guard lengths.contains(bytes.count) else {
            throw EngineError(
                .invalidRequest,
                "\(path): a signing key has \(lengths.lowerBound) to \(lengths.upperBound) bytes, this has"
                    + " \(bytes.count); `openssl rand -base64 32` makes one"
            )
        }
        return SigningKey(secret: bytes, at: Date(timeIntervalSince1970: 0))
    }
}
