// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// A place of this service: its path in parts and its query, percent-encoded where it is written.
struct Link: Sendable {
    private var path: String
    private var query: [(name: String, value: String)] = []
    private var fragment = ""

    /// - Parameter parts: between the slashes, as they are.
    init(_ parts: String..., query: KeyValuePairs<String, String?> = [:]) {
        path = "/" + parts.map(PercentCoding.encode).joined(separator: "/")
        for (name, value) in query { self = with(name, value) }
    }

    /// With a value in the query, in place of one of that name; nil for none.
    func with(_ name: String, _ value: String?) -> Link {
        var link = self
        link.query.removeAll { $0.name == name }
        if let value, !value.isEmpty { link.query.append((name, value)) }
        return link
    }

    func at(_ fragment: String) -> Link {
        var link = self
        link.fragment = fragment
        return link
    }

    var text: String {
        let pairs = query.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
        let rest = fragment.isEmpty ? "" : "#\(PercentCoding.encode(fragment))"
        return path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")) + rest
    }
}
