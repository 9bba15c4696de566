// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelResults

/// A file that a reader has chosen, with the reader's choice of its format.
///
/// Nothing is stored before the reader has seen the first events. So the page with these events contains the file, and
/// its form sends the file again.
struct ChosenFile {
    /// The ways to find the format, besides the names of formats.
    enum Choice {
        /// CloudEvents need no format.
        static let cloudEvents = "cloudevents"
        /// A mapping is drafted from the file.
        static let draft = "draft"
        /// The mapping that the reader has edited.
        static let mapping = "mapping"
    }

    /// The maximum size of a file in bytes. The page contains the file in Base64, which is a third longer, and must fit
    /// into a body.
    static let mostBytes = (EventUpload.limit - (1 << 20)) / 4 * 3
    /// The stand-in for the learner, if neither the file nor the reader names one. Nothing is stored for it.
    private static let nobody = "?"

    let name: String
    let bytes: [UInt8]
    /// The reader's choice of the format: a name of a format, or one of ``Choice``.
    private(set) var choice: String
    /// The text of the mapping; nil if a built-in format reads the file.
    private(set) var mapping: String?
    let attributes: FormatAttributes
    /// True if the reader has seen the events that this choice gives.
    private(set) var isShown = false

    /// - Throws: a problem if the form has no file, or if no format can read the file.
    init(_ fields: Fields, source: String?) throws {
        guard let (name, bytes) = try Self.file(fields) else { throw Problem.badRequest("choose a file first") }
        try InputFormat.refuseWorkbook(bytes, name: name)
        (self.name, self.bytes) = (name, bytes)
        attributes = FormatAttributes(
            learner: fields["learner"],
            language: fields["language"],
            timeZone: fields["timezone"],
            source: source
        )
        choice = fields["format"] ?? ""
        switch choice {
        case "":
            switch try InputFormat.recognise(bytes, name: name) {
            case .cloudEvents: choice = Choice.cloudEvents
            case .format(let format): choice = format.name
            case .draft(let text): (choice, mapping) = (Choice.mapping, text)
            }
        case Choice.draft: (choice, mapping) = (Choice.mapping, try InputFormat.draft(for: bytes, name: name))
        case Choice.mapping: mapping = (fields["mapping"] ?? "").replacing("\r\n", with: "\n")
        default: break
        }
        isShown = fields["shown"] == digest
    }

    /// A hash of all values that affect the events. The form sends the hash. So the service notices if a field was
    /// changed after the events were shown.
    var digest: String {
        let parts = [choice, mapping, attributes.learner, attributes.language, attributes.timeZone]
        return SHA256.hash(bytes + Array(parts.map { $0 ?? "" }.joined(separator: "\n").utf8)).hexadecimal
    }

    /// The file in a request: a file that the reader has just chosen, or the file that the page's form contains.
    private static func file(_ fields: Fields) throws(Problem) -> (name: String, bytes: [UInt8])? {
        let tooLong = Problem(
            413,
            "body-too-large",
            "the file may have \(mostBytes >> 20) MiB, packed or not; `laurel ingest` stores a larger file"
        )
        var (name, bytes) = (fields["name"] ?? "file", [UInt8]())
        if let chosen = fields.files["file"] {
            (name, bytes) = (chosen.name, chosen.bytes)
        } else if let text = fields["content"], let data = Data(base64Encoded: text) {
            bytes = Array(data)
        }
        guard !bytes.isEmpty else { return nil }
        if let unpacker = BodyUnpacker.make(for: bytes) {
            bytes = try unpacker.unpack(bytes, atMost: mostBytes, else: tooLong)
            // The readers of formats would unpack the content to any size.
            guard BodyUnpacker.make(for: bytes) == nil else { throw .badRequest("the file is packed twice; unpack it") }
        }
        guard bytes.count <= mostBytes else { throw tooLong }
        return (String(name.prefix(200)), bytes)
    }

    /// The file in Base64, for the form.
    var content: String { Data(bytes).base64EncodedString() }

    /// The format; nil for CloudEvents.
    /// - Throws: ``EngineError`` if the mapping has mistakes, or if there is no format of this name.
    func format() throws -> InputFormat? {
        guard choice != Choice.cloudEvents else { return nil }
        let format = try mapping.map { try InputFormat(mapping: $0, name: "mapping") } ?? InputFormat.named(choice)
        guard !format.comparesFiles else {
            throw Problem(
                422,
                "invalid-request",
                "the format \(format.name) compares a file with earlier files; `laurel ingest --format \(format.name)`"
                    + " stores such a file"
            )
        }
        return format
    }

    /// The attributes that the format needs, and that the reader has not given.
    func missing(_ format: InputFormat?) -> [FormatAttributes.Name] {
        (format?.needs ?? []).filter { name in
            switch name {
            case .learner: attributes.learner == nil
            case .language: attributes.language == nil
            case .timeZone: attributes.timeZone == nil
            case .source: attributes.source == nil
            }
        }
    }

    /// Converts the file to events. A stand-in replaces an attribute that is missing.
    func converted(_ format: InputFormat?, now: Date) throws -> ConvertedFile {
        var attributes = attributes
        for name in missing(format) {
            switch name {
            case .learner: attributes.learner = Self.nobody
            case .language: attributes.language = "und"
            case .timeZone: attributes.timeZone = "UTC"
            case .source: attributes.source = DecreeForm.source
            }
        }
        return try ConvertedFile(bytes, name: name, format: format, attributes: attributes, now: now)
    }
}
