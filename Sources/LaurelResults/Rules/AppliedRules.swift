// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// A version of the rules as it was applied, and what it changed.
public struct AppliedRules: Sendable, Hashable {
    /// From 1, in the order in which they were applied.
    public var version: Int
    /// The rules' name.
    public var name: String
    /// SHA-256 of the file, hexadecimal.
    public var hash: String
    /// When they were applied.
    public var appliedAt: Date
    /// Whether it is one of the store's present versions: not replaced, and not withdrawn.
    public var isInForce = false
    /// The local day from which it is, or was to be, in force; nil: from the beginning.
    public var from: LocalDay?
    /// In what it differs from the version before it; nil for the first, and where either cannot be read any more. In JSON an
    /// empty list then, and so in what was decoded.
    public var changes: [RulesChange]?
    /// Why this version cannot be read any more.
    public var problem: String?

    /// Creates one, for previews and tests.
    public init(version: Int, name: String, hash: String, appliedAt: Date) {
        (self.version, self.name, self.hash, self.appliedAt) = (version, name, hash, appliedAt)
    }
}

extension AppliedRules: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, name, hash, appliedAt
        case isInForce = "inForce"
        case from, changes, problem
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(name, forKey: .name)
        try container.encode(hash, forKey: .hash)
        try container.encode(appliedAt, forKey: .appliedAt)
        try container.encode(isInForce, forKey: .isInForce)
        try container.encodeIfPresent(from, forKey: .from)
        try container.encode(changes ?? [], forKey: .changes)
        try container.encodeIfPresent(problem, forKey: .problem)
    }
}

/// The rules of a version, as they were applied.
public struct AppliedRulesSource: Sendable, Hashable {
    /// From 1, in the order in which they were applied.
    public var version: Int
    /// The rules' name.
    public var name: String
    /// SHA-256 of the file, hexadecimal.
    public var hash: String
    /// When they were applied.
    public var appliedAt: Date
    /// The local day from which it is, or was to be, in force; nil: from the beginning.
    public var from: LocalDay?
    /// The file, byte for byte; in JSON a text.
    public var source: Data

    /// Creates one, for previews and tests.
    public init(version: Int, name: String, hash: String, appliedAt: Date, from: LocalDay? = nil, source: Data) {
        (self.version, self.name, self.hash, self.appliedAt) = (version, name, hash, appliedAt)
        (self.from, self.source) = (from, source)
    }
}

extension AppliedRulesSource: Codable {
    private enum CodingKeys: CodingKey {
        case version, name, hash, appliedAt, from, source
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(name, forKey: .name)
        try container.encode(hash, forKey: .hash)
        try container.encode(appliedAt, forKey: .appliedAt)
        try container.encodeIfPresent(from, forKey: .from)
        try container.encode(String(decoding: source, as: UTF8.self), forKey: .source)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        name = try container.decode(String.self, forKey: .name)
        hash = try container.decode(String.self, forKey: .hash)
        appliedAt = try container.decode(Date.self, forKey: .appliedAt)
        from = try container.decodeIfPresent(LocalDay.self, forKey: .from)
        source = Data(try container.decode(String.self, forKey: .source).utf8)
    }
}
