// SPDX-License-Identifier: Apache-2.0

import LaurelHTTP

/// The body of a form, in the encodings that browsers use.
enum FormBody {
    static func fields(_ bytes: [UInt8], _ head: HTTPRequestHead) throws -> Fields {
        switch head.contentType {
        case "application/x-www-form-urlencoded": return Fields(String(decoding: bytes, as: UTF8.self))
        case "multipart/form-data": return try parts(bytes, head.headers["Content-Type"] ?? "")
        default: throw Problem(415, "unsupported-media-type", "a form is application/x-www-form-urlencoded")
        }
    }

    /// The fields of a form with files (RFC 7578), each with the name and the content of a part. An empty file means
    /// that the reader chose no file.
    private static func parts(_ bytes: [UInt8], _ type: String) throws -> Fields {
        let malformed = Problem.badRequest("the form is not as browsers write it")
        guard let boundary = parameter("boundary", in: type) else { throw malformed }
        var fields = Fields()
        let text = String(decoding: bytes, as: UTF8.self)
        for part in text.split(separator: "--\(boundary)").dropFirst(text.hasPrefix("--") ? 0 : 1) {
            guard !part.hasPrefix("--"), let end = part.firstRange(of: "\r\n\r\n") else { continue }
            guard let name = parameter("name", in: String(part[..<end.lowerBound])) else { throw malformed }
            let content = part[end.upperBound...]
            let value = String(content.hasSuffix("\r\n") ? content.dropLast() : content)
            if !value.isEmpty { fields.set(name, value) }
        }
        return fields
    }

    /// The value of a parameter in a text such as `name="value"` or `name=value`; nil if the text does not contain it.
    private static func parameter(_ name: String, in text: String) -> String? {
        guard let start = text.firstRange(of: " \(name)=") ?? text.firstRange(of: ";\(name)=") else { return nil }
        let rest = text[start.upperBound...]
        let value =
            rest.first == "\"" ? rest.dropFirst().prefix { $0 != "\"" } : rest.prefix { $0 != ";" && $0 != "\r\n" }
        return value.isEmpty ? nil : String(value)
    }
}
