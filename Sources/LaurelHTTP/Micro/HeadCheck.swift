// SPDX-License-Identifier: Apache-2.0

internal import CMicroHTTPD

/// Checks a request's head after libmicrohttpd has parsed it. The check refuses heads that the library accepts but RFC
/// 9112 forbids. Such heads have two lengths, a length and chunks, bare line feeds, folded lines, NUL, or fields
/// without a name. If a proxy and a server read such a head differently, one request can be smuggled inside another.
///
/// Version 1.0 of the library has an option to refuse wrong line ends. Versions 0.9.75 to 0.9.77 do not have it. These
/// versions parse the head in place, overwrite each line's end with one or two NULs, and return pointers into the head.
/// So the lines of a correct head follow each other with exactly these NULs between them. Any other head is refused.
enum HeadCheck {
    enum Result {
        case sound(HTTPRequestHead)
        case refused(status: Int, reason: String)
    }

    /// True if the library refuses wrong line ends itself.
    private static let checksLines = laurel_http_checks_lines() != 0

    /// The maximum number of fields. No client has a reason to send more.
    private static let mostFields = 100
    /// The fields that may appear only once.
    private static let single = ["content-length", "host", "authorization", "content-type", "transfer-encoding"]

    static func read(
        _ connection: OpaquePointer,
        method: UnsafePointer<CChar>?,
        target: String?,
        version: UnsafePointer<CChar>?
    ) -> Result {
        guard let method, let version, let verb = String(validatingCString: method), verb.utf8.allSatisfy(isToken)
        else {
            return .refused(status: 400, reason: "the method is not a token")
        }
        guard let protocolName = String(validatingCString: version), ["HTTP/1.1", "HTTP/1.0"].contains(protocolName)
        else { return .refused(status: 505, reason: "the HTTP version must be 1.1 or 1.0") }
        guard let target = target.flatMap(originForm) else {
            return .refused(status: 400, reason: "the target is not a path")
        }
        let count = Int(laurel_http_get_fields(connection, nil, 0))
        guard count <= mostFields else { return .refused(status: 431, reason: "there are too many header fields") }
        // The memory for the fields. Up to 32 fields fit on the stack.
        return withUnsafeTemporaryAllocation(of: laurel_http_field.self, capacity: count) { room in
            _ = laurel_http_get_fields(connection, room.baseAddress, Int32(count))
            let fields = UnsafeBufferPointer(room)
            guard checksLines || liesAsItShould(fields, after: version) else {
                return .refused(status: 400, reason: "the header has folded lines, bare line ends, or NUL")
            }
            guard let headers = named(fields) else {
                return .refused(status: 400, reason: "a header field has no name, or characters that it may not have")
            }
            if let refusal = framing(of: headers, protocolName) { return refusal }
            let peer = Connection.of(connection)?.peer ?? PeerAddress("")
            return .sound(HTTPRequestHead(method: verb, target: target, headers: headers, peer: peer))
        }
    }

    /// The path in a target, with the query if there is one; nil for an invalid target.
    private static func originForm(_ target: String) -> String? {
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        if target.hasPrefix("/") || target == "*" { return target }
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        }
        return nil
    }

    // MARK: Lines

    private static func liesAsItShould(
        _ fields: UnsafeBufferPointer<laurel_http_field>,
        after version: UnsafePointer<CChar>
    ) -> Bool {
        var end = UnsafeRawPointer(version) + 8
        for field in fields {
            guard let name = field.name, let value = field.value else { return false }
            let start = UnsafeRawPointer(name)
            // The library has replaced CR and LF by two NULs.
            guard start - end == 2 else { return false }
            let nameEnd = start + Int(field.name_length)
            var pointer = nameEnd + 1
            if field.value_length == 0 {
                // The library gives no address for an empty value, so the line is read up to its end.
                while isBlank(pointer) { pointer += 1 }
            } else {
                guard UnsafeRawPointer(value) > nameEnd, UnsafeRawPointer(value) - nameEnd < 8192 else { return false }
                while pointer < UnsafeRawPointer(value) {
                    guard isBlank(pointer) else { return false }
                    pointer += 1
                }
            }
            end = pointer + Int(field.value_length)
            // White space at the end of a line is not part of the value.
            while isBlank(end) { end += 1 }
        }
        // These are the NULs of the last line's end and of the blank line. If the head ends with a bare line feed, an
        // unused zero byte may be taken for the missing NUL. That is harmless: no bytes follow, so nothing is
        // smuggled.
        return (0..<4).allSatisfy { (end + $0).load(as: UInt8.self) == 0 }
    }

    private static func isBlank(_ pointer: UnsafeRawPointer) -> Bool {
        pointer.load(as: UInt8.self) == 0x20 || pointer.load(as: UInt8.self) == 0x09
    }

    // MARK: Fields

    /// The header fields; nil if any field is invalid.
    private static func named(_ fields: UnsafeBufferPointer<laurel_http_field>) -> HTTPHeaders? {
        var headers = HTTPHeaders()
        headers.reserve(fields.count)
        for field in fields {
            let name = UnsafeRawBufferPointer(start: field.name, count: Int(field.name_length))
            let value = UnsafeRawBufferPointer(start: field.value, count: Int(field.value_length))
            guard !name.isEmpty, name.allSatisfy(isToken),
                value.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }), let text = text(value)
            else { return nil }
            headers.add(String(decoding: name, as: UTF8.self), text)
        }
        return headers
    }

    /// The bytes as text; nil if they are not UTF-8.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        // Nearly all texts are ASCII, for which no UTF-8 validation is needed.
        let isASCII = bytes.allSatisfy { $0 < 0x80 }
        return isASCII ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }

    private static func framing(of headers: HTTPHeaders, _ version: String) -> Result? {
        if let name = single.first(where: { headers.count(of: $0) > 1 }) {
            return .refused(status: 400, reason: "there are several fields \(name)")
        }
        if let length = headers["Content-Length"],
            length.isEmpty || length.utf8.count > 15 || !length.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        {
            return .refused(status: 400, reason: "the length of the content is no number")
        }
        if let coding = headers["Transfer-Encoding"] {
            guard headers["Content-Length"] == nil else {
                return .refused(status: 400, reason: "the body has both a length and chunks")
            }
            guard version == "HTTP/1.1" else {
                return .refused(status: 400, reason: "HTTP/1.0 has no transfer encodings")
            }
            guard coding.lowercased() == "chunked" else {
                return .refused(status: 501, reason: "chunked is the only transfer encoding here")
            }
        }
        if version == "HTTP/1.1", headers["Host"] == nil {
            return .refused(status: 400, reason: "the field host is missing")
        }
        return nil
    }

    /// True if a byte is allowed in a token (RFC 9110, section 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
