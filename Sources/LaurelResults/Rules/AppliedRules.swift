// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelWire

/// A version of the rules that was applied, and its changes.
public struct AppliedRules: Sendable, Hashable {
    /// The version's number, from 1, in the order of application.
    public var version: Int
    /// The rules' name.
    public var name: String
    /// The SHA-256 of the file, in hexadecimal.
    public var hash: String
    /// The time when the version was applied.
    public var appliedAt: Date
    /// True if the version is still in the store's list of rules: neither replaced nor withdrawn.
    public var isInForce = false
    /// The first local day on which the version is, or would have been, in force; nil if from the beginning.
    public var from: LocalDay?
    /// The differences from the previous version. nil for the first version, and if one of the two is no longer
    /// readable. The JSON has an empty list for nil, so decoding gives an empty list.
    public var changes: [RulesChange]?
    /// The reason why the version is no longer readable; nil if it is readable.
    public var problem: String?

    /// Creates a value, for previews and tests.
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

/// The rules file of an applied version.
public struct AppliedRulesSource: Sendable, Hashable {
    /// The version's number, from 1, in the order of application.
    public var version: Int
    /// The rules' name.
    public var name: String
    /// The SHA-256 of the file, in hexadecimal.
    public var hash: String
    /// The time when the version was applied.
    public var appliedAt: Date
    /// The first local day on which the version is, or would have been, in force; nil if from the beginning.
    public var from: LocalDay?
    /// The file, byte for byte. In JSON it is a string.
    public var source: Data

    /// Creates a value, for previews and tests.
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
