// SPDX-License-Identifier: Apache-2.0

import CYAML

/// Reads YAML or JSON into a tree of nodes.
enum YAMLReader {
    static let maximumBytes = 1 << 20

    /// Reads the file's only document. Duplicate keys are returned as mistakes of the document.
    /// - Throws: a mistake because of which the file cannot be read at all.
    /// - Complexity: O(bytes).
    static func read(_ bytes: [UInt8]) throws(YAMLError) -> YAMLDocument {
        guard bytes.count <= maximumBytes else {
            throw YAMLError(offset: 0, message: "the file is larger than 1 MiB")
        }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") else { return try readYAML(bytes) }
        // A file that starts with `{` is read as JSON first, because libyaml refuses surrogate pairs and some layouts
        // of JSON. But such a file may also be YAML. If both readers fail, the error at the later position is reported.
        // Inside an escape, the JSON reader's error is reported, because libyaml reports only the position of the
        // digits.
        let jsonError: YAMLError
        do throws(YAMLError) {
            return try JSONReader.read(bytes)
        } catch {
            jsonError = error
        }
        do throws(YAMLError) {
            return try readYAML(bytes)
        } catch {
            throw jsonError.offset + 6 >= error.offset ? jsonError : error
        }
    }

    private static func readYAML(_ bytes: [UInt8]) throws(YAMLError) -> YAMLDocument {
        let index = CodePointIndex(bytes)
        var builder = NodeBuilder()
        var documents = 0
        var lastText: LongText?
        try withParser(of: bytes) { (parser: UnsafeMutablePointer<yaml_parser_t>) throws(YAMLError) in
            while true {
                var event = yaml_event_t()
                guard yaml_parser_parse(parser, &event) == 1 else {
                    throw problem(of: parser.pointee, after: lastText, bytes, index)
                }
                defer { yaml_event_delete(&event) }
                if event.type == YAML_SCALAR_EVENT { lastText = LongText(event) }
                switch event.type {
                case YAML_STREAM_END_EVENT: return
                case YAML_DOCUMENT_START_EVENT:
                    documents += 1
                    guard documents == 1 else {
                        throw YAMLError(
                            offset: index.offset(event.start_mark),
                            message: "a file is one document: no second `---`"
                        )
                    }
                default: try feed(event, of: bytes, to: &builder, index)
                }
            }
        }
        guard let document = builder.document else { throw YAMLError(offset: 0, message: "the file is empty") }
        return document
    }

    private static func withParser(
        of bytes: [UInt8],
        _ body: (UnsafeMutablePointer<yaml_parser_t>) throws(YAMLError) -> Void
    ) throws(YAMLError) {
        // The parser is on the heap, because libyaml stores pointers into it during all calls.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else {
            throw YAMLError(offset: 0, message: "not enough memory to read the file")
        }
        defer { yaml_parser_delete(parser) }
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count + 1)
        defer { input.deallocate() }
        input.initialize(repeating: 0)
        _ = input.update(fromContentsOf: bytes)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
        try body(parser)
    }

    private static func feed(
        _ event: yaml_event_t,
        of bytes: [UInt8],
        to builder: inout NodeBuilder,
        _ index: CodePointIndex
    ) throws(YAMLError) {
        let offset = index.offset(event.start_mark)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let data = event.data.scalar
            try refuse(tag: data.tag, at: offset)
            let end = max(offset, index.offset(event.end_mark))
            let start = data.anchor == nil ? offset : afterAnchor(offset, end, bytes)
            let scalar = YAMLScalar(
                text: string(data.value, data.length),
                style: style(data.style),
                range: start..<end
            )
            try builder.scalar(scalar, anchor: string(data.anchor))
        case YAML_SEQUENCE_START_EVENT:
            try refuse(tag: event.data.sequence_start.tag, at: offset)
            try builder.begin(mapping: false, at: offset, anchor: string(event.data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT:
            try refuse(tag: event.data.mapping_start.tag, at: offset)
            try builder.begin(mapping: true, at: offset, anchor: string(event.data.mapping_start.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            try builder.end()
        case YAML_ALIAS_EVENT:
            try builder.alias(string(event.data.alias.anchor) ?? "", at: offset)
        default:
            break
        }
    }

    /// The start of a scalar. If an anchor precedes the scalar, `start` is the start of the anchor.
    private static func afterAnchor(_ start: Int, _ end: Int, _ bytes: [UInt8]) -> Int {
        let blanks = Array(" \t\r\n".utf8)
        var position = start
        while position < end, !blanks.contains(bytes[position]) { position += 1 }
        while position < end {
            if bytes[position] == UInt8(ascii: "#") {
                while position < end, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            }
            guard position < end, blanks.contains(bytes[position]) else { break }
            position += 1
        }
        return position
    }

    private static func refuse(tag: UnsafeMutablePointer<UInt8>?, at offset: Int) throws(YAMLError) {
        guard let tag = string(tag) else { return }
        throw YAMLError(offset: offset, message: "`\(tag)` is read as a YAML tag: put the value in quotes")
    }

    private static func style(_ style: yaml_scalar_style_t) -> YAMLScalar.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }

    private static func string(_ start: UnsafeMutablePointer<UInt8>?) -> String? {
        start.map { String(cString: $0) }
    }

    private static func string(_ start: UnsafeMutablePointer<UInt8>?, _ count: Int) -> String {
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A quoted text that ends on a later line than it starts. Usually its closing quote is missing.
    private struct LongText {
        let start: yaml_mark_t
        let lastLine: Int

        init?(_ event: yaml_event_t) {
            let style = event.data.scalar.style
            guard style == YAML_DOUBLE_QUOTED_SCALAR_STYLE || style == YAML_SINGLE_QUOTED_SCALAR_STYLE,
                event.start_mark.line < event.end_mark.line
            else { return nil }
            start = event.start_mark
            lastLine = Int(event.end_mark.line)
        }
    }

    private static func problem(
        of parser: yaml_parser_t,
        after text: LongText?,
        _ bytes: [UInt8],
        _ index: CodePointIndex
    ) -> YAMLError {
        if parser.error == YAML_SCANNER_ERROR,
            parser.context.map({ String(cString: $0) }) == "while scanning a quoted scalar"
        {
            // libyaml reports the end of the file, or the first line that cannot belong to the text. The mistake is at
            // neither position. So the start of the text is reported.
            let start = index.offset(parser.context_mark)
            let quote = start < bytes.count ? Unicode.Scalar(bytes[start]) : "\""
            return YAMLError(offset: start, message: "the text that begins here is not closed: a \(quote) is missing")
        }
        if let text, text.lastLine == Int(parser.problem_mark.line) {
            let last = "the text that begins here goes on to line \(text.lastLine + 1)"
            return YAMLError(offset: index.offset(text.start), message: "\(last): is its closing quote missing?")
        }
        let problem = parser.problem.map { String(cString: $0) } ?? "not valid YAML"
        let isEncoding = parser.error == YAML_READER_ERROR
        let offset = isEncoding ? Int(parser.problem_offset) : index.offset(parser.problem_mark)
        if !isEncoding, bytes.has("\t", at: offset) {
            return YAMLError(offset: offset, message: "YAML is indented with spaces, not with tabs: here is a tab")
        }
        let context = isEncoding ? nil : parser.context.map { String(cString: $0) }
        let message = [context, problem].compactMap(\.self).joined(separator: ", ")
        return YAMLError(offset: offset, message: message + quotingAdvice(problem) + symbolAdvice(parser, bytes, index))
    }

    /// Advice about a value whose first character has a special meaning in YAML.
    private static func symbolAdvice(_ parser: yaml_parser_t, _ bytes: [UInt8], _ index: CodePointIndex) -> String {
        guard parser.error == YAML_SCANNER_ERROR, let context = parser.context.map({ String(cString: $0) }) else {
            return ""
        }
        let start = index.offset(parser.context_mark)
        guard start < bytes.count else { return "" }
        let symbol = Unicode.Scalar(bytes[start])
        switch context {
        case "while scanning a block scalar", "while scanning an anchor", "while scanning an alias",
            "while scanning a tag":
            return ": a value that begins with `\(symbol)` needs quotes"
        default: return ""
        }
    }

    /// Advice on the usual cause of a problem: YAML reads an expression or a sentence without quotes as several values.
    private static func quotingAdvice(_ problem: String) -> String {
        switch problem {
        case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
            ": inside `{…}` and `[…]`, a value with `[`, `{`, `,` or `: ` in it needs quotes"
        case "mapping values are not allowed in this context": ": a value with `: ` in it needs quotes"
        default: ""
        }
    }
}

/// Converts positions that libyaml counts in code points to byte offsets, which this module uses.
private struct CodePointIndex {
    /// The byte offset of each code point; nil if the file contains only ASCII. Code points and bytes then have equal
    /// offsets.
    private let offsets: [Int32]?
    private let count: Int

    init(_ bytes: [UInt8]) {
        count = bytes.count
        offsets = bytes.withUnsafeBufferPointer { bytes in
            guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
            var offsets: [Int32] = []
            offsets.reserveCapacity(bytes.count)
            for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 { offsets.append(Int32(offset)) }
            return offsets
        }
    }

    func offset(_ mark: yaml_mark_t) -> Int {
        let index = Int(mark.index)
        guard let offsets else { return min(index, count) }
        return index < offsets.count ? Int(offsets[index]) : count
    }
}
