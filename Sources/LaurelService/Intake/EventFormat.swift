// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelWire

/// The format of a request's events, according to its header fields (HTTP binding of CloudEvents).
enum EventFormat: Sendable {
    case whole(IngestRequest.Shape)
    /// Binary mode: header fields contain the event's attributes, and the body is its data.
    case binary([(name: String, value: String)])

    /// The accepted media types, each with the types that describe its content.
    static let schemas: KeyValuePairs<String, [DescribedType]> = [
        "application/cloudevents+json": [CloudEvent.self], "application/cloudevents-batch+json": [[CloudEvent].self],
        "application/x-ndjson": [String.self], "application/json": [[CloudEvent].self, CloudEvent.self],
    ]
    static let mediaTypes = schemas.map(\.key)

    init(_ head: HTTPRequestHead) throws(Problem) {
        let type = head.contentType ?? ""
        guard Self.isUTF8(head) else {
            throw Problem(415, "unsupported-media-type", "events are UTF-8, and of no other charset")
        }
        if head.headers["ce-specversion"] != nil {
            self = .binary(try Self.attributes(head) + Self.contentType(head))
            guard type.isEmpty || type == "application/json" || type.hasSuffix("+json") else {
                throw Problem(415, "unsupported-media-type", "an event's data must be JSON, not \(type.prefix(64))")
            }
            return
        }
        switch type {
        case "application/cloudevents+json": self = .whole(.event)
        case "application/cloudevents-batch+json": self = .whole(.list)
        case "application/json": self = .whole(.eventOrList)
        case "application/x-ndjson", "application/ndjson", "application/jsonl": self = .whole(.lines)
        default:
            var problem = Problem(
                415,
                "unsupported-media-type",
                "the Content-Type must be one of \(Self.mediaTypes.joined(separator: ", "))"
            )
            problem.headers["Accept-Post"] = Self.mediaTypes.joined(separator: ", ")
            throw problem
        }
    }

    /// True if the text is UTF-8, or if the request names no encoding.
    private static func isUTF8(_ head: HTTPRequestHead) -> Bool {
        guard let field = head.headers["Content-Type"], field.utf8.contains(UInt8(ascii: ";")) else { return true }
        let parameters = field.lowercased().split(separator: ";").dropFirst()
        return parameters.allSatisfy { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"".contains($0) } }
            return parts.first != "charset" || ["utf-8", "utf8", "us-ascii"].contains(parts.last)
        }
    }

    private static func attributes(_ head: HTTPRequestHead) throws(Problem) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        for field in head.headers.fields {
            let name = field.name.lowercased()
            guard name.hasPrefix("ce-") else { continue }
            guard let value = PercentCoding.decode(Self.unquoted(field.value)) else {
                throw .badRequest("the field \(name) has a percent sign without two digits, or is no UTF-8")
            }
            guard !attributes.contains(where: { $0.name == name.dropFirst(3) }), name != "ce-data" else {
                throw .badRequest("header \(name) is repeated or not allowed")
            }
            attributes.append((String(name.dropFirst(3)), value))
        }
        return attributes
    }

    /// The content type of the data, as the attribute that an event in structured mode has.
    private static func contentType(_ head: HTTPRequestHead) -> [(name: String, value: String)] {
        head.headers["Content-Type"].map { [("datacontenttype", $0)] } ?? []
    }

    /// The text of a quoted value (RFC 9110, section 5.6.4); any other value unchanged.
    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
        var (text, isEscaped) = ("", false)
        for character in value.dropFirst().dropLast() {
            isEscaped = character == "\\" && !isEscaped
            if !isEscaped { text.append(character) }
        }
        return text
    }

    /// True if the value of an extension looks like a number or a boolean. Header fields have no types, but in
    /// structured mode such a value has a type. The same event must be a duplicate in both modes (CloudEvents, section
    /// 3.1: integers have 32 bits).
    private static func isTyped(_ attribute: (name: String, value: String)) -> Bool {
        guard !KnownNames.attributes.contains(attribute.name) else { return false }
        return attribute.value == "true" || attribute.value == "false"
            || Int32(attribute.value).map { "\($0)" == attribute.value } ?? false
    }

    /// An event as JSON, made from its attributes and its data.
    static func event(_ attributes: [(name: String, value: String)], data: [UInt8]) throws(Problem) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "{")]
        for (index, attribute) in attributes.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            JSONWriter.write(string: attribute.name.utf8, to: &json)
            json.append(UInt8(ascii: ":"))
            if isTyped(attribute) {
                json += attribute.value.utf8
            } else {
                JSONWriter.write(string: attribute.value.utf8, to: &json)
            }
        }
        if !data.isEmpty {
            // The data must be one JSON value, so that the rest of the body cannot add attributes.
            guard (try? JSONSerialization.jsonObject(with: Data(data), options: .fragmentsAllowed)) != nil else {
                throw Problem(400, "invalid-json", "the event's data is no JSON")
            }
            json += Array(",\"data\":".utf8) + data
        }
        return json + [UInt8(ascii: "}")]
    }
}

/// Decompresses a body while it arrives.
final class BodyUnpacker {
    private let unpacker: any Unpacker

    /// Creates an unpacker.
    /// - Returns: nil if the body is not compressed.
    /// - Throws: a problem for an unknown coding.
    static func make(_ head: HTTPRequestHead) throws(Problem) -> BodyUnpacker? {
        switch head.headers["Content-Encoding"]?.lowercased() {
        case nil, "identity": return nil
        case "gzip", "x-gzip": return BodyUnpacker(GzipUnpacker())
        case "zstd": return BodyUnpacker(ZstdUnpacker(windowLog: 23))
        default:
            var problem = Problem(415, "unsupported-coding", "the Content-Encoding must be gzip or zstd")
            problem.headers["Accept-Encoding"] = "gzip, zstd"
            throw problem
        }
    }

    /// Creates an unpacker for data that begin like compressed data; nil for other data.
    static func make(for bytes: [UInt8]) -> BodyUnpacker? {
        if bytes.starts(with: [0x1F, 0x8B]) { return BodyUnpacker(GzipUnpacker()) }
        return bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) ? BodyUnpacker(ZstdUnpacker(windowLog: 23)) : nil
    }

    private init(_ unpacker: any Unpacker) { self.unpacker = unpacker }

    /// Decompresses a whole body.
    /// - Throws: the given problem if the result has more bytes than `limit`.
    func unpack(_ bytes: [UInt8], atMost limit: Int, else tooLong: Problem) throws(Problem) -> [UInt8] {
        var whole: [UInt8] = []
        try unpack(bytes, isLast: true) { (piece) throws(Problem) in
            guard whole.count + piece.count <= limit else { throw tooLong }
            whole += piece
        }
        return whole
    }

    /// Decompresses bytes, and passes on the result piece by piece.
    /// - Parameter isLast: true if no bytes follow. The compressed data must then be complete.
    func unpack(
        _ bytes: [UInt8],
        isLast: Bool,
        _ body: (UnsafeRawBufferPointer) throws(Problem) -> Void
    ) throws(Problem) {
        var failure: Problem?
        bytes.withUnsafeBufferPointer { bytes in
            do throws(Problem) { try unpack(bytes, body) } catch { failure = error }
        }
        if let failure { throw failure }
        guard !isLast || unpacker.isBetweenParts else {
            throw Problem(400, "damaged-body", "the body ends in the middle of packed data")
        }
    }

    private func unpack(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeRawBufferPointer) throws(Problem) -> Void
    ) throws(Problem) {
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
        defer { room.deallocate() }
        var rest = bytes
        while true {
            let step = unpacker.unpack(rest, into: room)
            rest = UnsafeBufferPointer(rebasing: rest[step.consumed...])
            if let problem = step.problem {
                throw Problem(400, "damaged-body", "the \(unpacker.format) data is damaged: \(problem)")
            }
            if step.produced > 0 {
                try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<step.produced]))
            }
            if step.produced < room.count, rest.isEmpty || step.consumed == 0 { return }
        }
    }
}
