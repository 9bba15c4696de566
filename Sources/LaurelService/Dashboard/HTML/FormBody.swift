// SPDX-License-Identifier: Apache-2.0

import Foundation
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
        // A file may have any encoding, so the body is split as bytes.
        for part in pieces(of: bytes, after: "--\(boundary)") where !part.starts(with: "--".utf8) {
            guard let headEnd = part.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: part[..<headEnd.lowerBound], as: UTF8.self)
            guard let name = parameter("name", in: head) else { throw malformed }
            var content = part[headEnd.upperBound...]
            if content.suffix(2).elementsEqual("\r\n".utf8) { content.removeLast(2) }
            guard !content.isEmpty else { continue }
            if let file = parameter("filename", in: head) {
                fields.files[name] = Fields.File(name: file, bytes: Array(content))
            } else {
                fields.set(name, String(decoding: content, as: UTF8.self))
            }
        }
        return fields
    }

    /// The pieces of a body, each between two delimiters.
    private static func pieces(of bytes: [UInt8], after delimiter: String) -> [ArraySlice<UInt8>] {
        let mark = Array(delimiter.utf8)
        var starts: [Int] = []
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            var place = 0
            while let found = memchr(base + place, Int32(mark[0]), buffer.count - place) {
                place = UnsafeRawPointer(found) - base
                let isMark = buffer.count - place >= mark.count && memcmp(found, mark, mark.count) == 0
                place += isMark ? mark.count : 1
                if isMark { starts.append(place) }
            }
        }
        let ends = starts.dropFirst().map { $0 - mark.count } + [bytes.count]
        return zip(starts, ends).map { bytes[$0..<$1] }
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
