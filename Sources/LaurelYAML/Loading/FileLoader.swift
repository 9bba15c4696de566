// SPDX-License-Identifier: Apache-2.0

/// Reads a YAML file, and checks its content. The loader continues after each mistake, so that all mistakes are
/// reported together.
package protocol FileLoader {
    /// The kinds of mappings that a file of this format contains.
    associatedtype Keys: SectionKeys

    var source: SourceText { get }
    /// The diagnostics found so far, in the order of discovery.
    var found: [FoundDiagnostic] { get set }
    /// The end offsets of scalars by their start offsets: see ``YAMLDocument/scalarEnds``.
    var scalarEnds: [Int: Int] { get set }
}

/// A diagnostic, with the offset of the byte to which it refers.
package struct FoundDiagnostic {
    package let offset: Int
    package let diagnostic: Diagnostic
}

/// The maximum number of reported mistakes.
let maximumDiagnostics = 500

extension FileLoader {
    /// The text of a file without its byte order mark. Editors do not count the byte order mark as a column.
    package static func text(of bytes: [UInt8], file: String) -> SourceText {
        SourceText(file: file, bytes: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
    }

    /// Reads the file's only document. Returns nil after reporting the mistake if the file cannot be read at all.
    package mutating func readDocument() -> YAMLNode? {
        do throws(YAMLError) {
            let document = try YAMLReader.read(source.bytes)
            scalarEnds = document.scalarEnds
            for mistake in document.mistakes { report(mistake.offset, mistake.message) }
            return document.root
        } catch {
            report(error.offset, error.message)
            return nil
        }
    }

    /// Reports a problem with the key or value that starts at `offset`.
    package mutating func report(
        _ offset: Int,
        _ message: String,
        suggestion: String? = nil,
        _ severity: Diagnostic.Severity = .error
    ) {
        report(range(at: offset), message, suggestion: suggestion, severity)
    }

    package mutating func report(
        _ range: Range<Int>,
        _ message: String,
        suggestion: String? = nil,
        _ severity: Diagnostic.Severity = .error
    ) {
        guard !isFull else { return }
        let position = source.position(of: range)
        let diagnostic = Diagnostic(severity, at: position, message, suggestion: suggestion)
        found.append(FoundDiagnostic(offset: range.lowerBound, diagnostic: diagnostic))
    }

    /// The byte range of the scalar key or value that starts at `offset`. For a mapping or a list, the range is empty.
    package func range(at offset: Int) -> Range<Int> { offset..<max(offset, scalarEnds[offset] ?? offset) }

    /// Converts an offset in a scalar's text to an offset in the file.
    package func sourceOffset(of offset: Int, in scalar: YAMLScalar) -> Int {
        ScalarPosition(scalar, in: source.bytes).source(of: offset..<offset).lowerBound
    }

    /// True if the maximum number of mistakes is reached. Suggestions are then no longer computed.
    package var isFull: Bool { found.count >= maximumDiagnostics }

    /// The diagnostics, in the order of the file.
    package var diagnostics: [Diagnostic] { found.sorted { $0.offset < $1.offset }.map(\.diagnostic) }

    /// The file's name without folder and extension.
    package var defaultName: String {
        let file = source.file.split(separator: "/").last ?? ""
        return file.firstIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
    }
}
