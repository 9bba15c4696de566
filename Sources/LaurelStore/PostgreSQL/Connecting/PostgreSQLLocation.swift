// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL

/// The location of a store in PostgreSQL: an address for libpq. The parameters after the `?` include Laurel's own.
///
///     postgresql://user@host:5432/database?sslmode=verify-full&schema=laurel&durability=unchecked
struct PostgreSQLLocation: Sendable {
    /// The address for libpq, without Laurel's parameters.
    let address: String
    let schema: String
    /// True if the server must be configured so that acknowledged writes survive a power cut.
    let checksDurability: Bool
    /// True to prepare statements, false not to; nil to prepare them if that is safe.
    let preparesStatements: Bool?
    /// The address without a password, for error messages.
    let name: String

    /// The search path. Temporary tables come last, because any user can create them.
    var searchPath: String { "\(schema), pg_temp" }
    /// True if libpq can parse the address.
    var isReadable: Bool { DatabaseConnection.canRead(address) }

    static let schemes = ["postgresql://", "postgres://"]

    init(_ location: String) throws {
        guard let scheme = Self.schemes.first(where: { location.hasPrefix($0) }) else {
            throw StoreError(.notFound, "an address of PostgreSQL begins with postgresql://")
        }
        try Self.expectOneUser(location.dropFirst(scheme.count))
        let parts = Self.split(location, scheme: scheme)
        var schema = "laurel"
        var checksDurability = true
        var preparesStatements: Bool?
        var kept: [Substring] = []
        for parameter in parts.parameters.split(separator: "&") {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? PercentCoding.decode(pair[1]) ?? String(pair[1]) : ""
            switch pair[0] {
            case "schema": schema = try Self.checked(schema: value)
            case "durability":
                guard value == "checked" || value == "unchecked" else {
                    throw StoreError(.notFound, "durability=\(value) is neither `checked` nor `unchecked`")
                }
                checksDurability = value == "checked"
            case "statements":
                guard value == "prepared" || value == "unprepared" else {
                    throw StoreError(.notFound, "statements=\(value) is neither `prepared` nor `unprepared`")
                }
                preparesStatements = value == "prepared"
            default: kept.append(parameter)
            }
        }
        self.schema = schema
        self.checksDurability = checksDurability
        self.preparesStatements = preparesStatements
        let base = String(parts.base)
        address = base + Self.query(kept)
        let shown = kept.filter { parameter in !Self.secrets.contains { parameter.hasPrefix($0 + "=") } }
        name =
            Self.withoutPassword(base, scheme: scheme)
            + Self.query(shown + (schema == "laurel" ? [] : ["schema=\(schema)"]))
    }

    /// Refuses an address in which a part of the password may be mistaken for the host or the path. Errors would show
    /// that part.
    private static func expectOneUser(_ rest: Substring) throws {
        guard let at = rest.lastIndex(of: "@") else { return }
        guard rest[..<at].contains(where: { $0 == "@" || $0 == "/" }) else { return }
        throw StoreError(
            .notFound,
            "an address of PostgreSQL has an @ or a / before its last @; within a name, a password or a parameter write"
                + " @ as %40 and / as %2F"
        )
    }

    /// The address and its parameters. A password may contain a `?`. Like libpq, this function looks for the `?` only
    /// after the first `@`, unless a `/` comes before the `@`.
    private static func split(_ location: String, scheme: String) -> (base: Substring, parameters: Substring) {
        let rest = location.dropFirst(scheme.count)
        var start = rest.startIndex
        if let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" { start = end }
        guard let mark = rest[start...].firstIndex(of: "?") else { return (location[...], "") }
        return (location[..<mark], rest[rest.index(after: mark)...])
    }

    private static let secrets = ["password", "sslpassword"]

    private static func query(_ parameters: [Substring]) -> String {
        parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    }

    /// The address without the password. The password is the text from the first `:` of the user's part to the last
    /// `@` before the path.
    private static func withoutPassword(_ base: String, scheme: String) -> String {
        let rest = base.dropFirst(scheme.count)
        guard let at = rest.lastIndex(of: "@") else { return base }
        let user = rest[..<at].prefix { $0 != ":" }
        return scheme + user + rest[at...]
    }

    /// Refuses a schema name that needs quotes in SQL, so that users can write the name without quotes.
    private static func checked(schema: String) throws -> String {
        let isName =
            schema.utf8.count <= 63 && !schema.isEmpty && !schema.hasPrefix("pg_")
            && schema.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
            && !(0x30...0x39).contains(schema.utf8.first!)
        guard isName else {
            throw StoreError(
                .notFound,
                "schema=\(schema) is no name of a schema: small letters, digits and underscores, at most 63 of them, "
                    + "the first no digit, and not pg_ at the beginning"
            )
        }
        return schema
    }
}
