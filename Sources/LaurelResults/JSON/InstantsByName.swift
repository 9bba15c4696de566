// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Instants by name. In JSON they are an object, in byte order of the names.
public struct InstantsByName: Sendable, Hashable, Codable {
    private var instants: [String: Date]

    /// Creates a value, for previews and tests.
    public init(_ instants: [String: Date] = [:]) { self.instants = instants }

    /// The instant of a name; nil if there is none.
    public subscript(name: String) -> Date? { instants[name] }

    /// The names, in byte order.
    public var names: [String] { instants.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        for name in names { try container.encode(instants[name], forKey: AnyKey(name)) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        let instants = try container.allKeys.map { ($0.stringValue, try container.decode(Date.self, forKey: $0)) }
        self.instants = Dictionary(instants) { first, _ in first }
    }
}
