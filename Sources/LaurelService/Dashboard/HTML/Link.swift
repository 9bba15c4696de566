// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// An address in this service: the parts of its path, and its query. The parts and the query are percent-encoded when
/// the link is written.
struct Link: Sendable {
    private var path: String
    private var query: [(name: String, value: String)] = []
    private var fragment = ""

    /// - Parameter parts: the parts of the path between slashes, not encoded.
    init(_ parts: String..., query: KeyValuePairs<String, String?> = [:]) {
        path = "/" + parts.map(PercentCoding.encode).joined(separator: "/")
        for (name, value) in query { self = with(name, value) }
    }

    /// The link with another value of a query parameter; nil removes the parameter.
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
