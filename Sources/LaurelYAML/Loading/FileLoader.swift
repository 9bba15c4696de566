// SPDX-License-Identifier: Apache-2.0

/// Reads a YAML file into a checked value. The loader continues after each mistake, so that one run reports all of
/// them.
package protocol FileLoader {
    /// The kinds of mappings in the file.
    associatedtype Keys: SectionKeys

    var source: SourceText { get }
    /// The diagnostics so far, in the order of their discovery.
    var found: [FoundDiagnostic] { get set }
    /// See ``YAMLDocument/scalarEnds``.
    var scalarEnds: [Int: Int] { get set }
}

/// A diagnostic, and the offset of the byte that it is about.
package struct FoundDiagnostic {
    package let offset: Int
    package let diagnostic: Diagnostic
}

/// The most mistakes that are reported.
let maximumDiagnostics = 500

extension FileLoader {
    /// The text of a file without its byte order mark, which editors do not count.
    package static func text(of bytes: [UInt8], file: String) -> SourceText {
        SourceText(file: file, bytes: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
    }

    /// The file's only document; nil if it cannot be read at all, which is reported.
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
        let place = source.place(of: range)
        let diagnostic = Diagnostic(severity, at: place, message, suggestion: suggestion)
        found.append(FoundDiagnostic(offset: range.lowerBound, diagnostic: diagnostic))
    }

    /// The bytes of the scalar key or value that starts at `offset`; for a mapping or a list, an empty range.
    package func range(at offset: Int) -> Range<Int> { offset..<max(offset, scalarEnds[offset] ?? offset) }

    /// The offset in the file from which the byte at `offset` of a scalar's text comes.
    package func sourceOffset(of offset: Int, in scalar: YAMLScalar) -> Int {
        ScalarPosition(scalar, in: source.bytes).source(of: offset..<offset).lowerBound
    }

    /// True if there are so many mistakes that suggestions are not worth computing.
    package var isFull: Bool { found.count >= maximumDiagnostics }

    /// The diagnostics, in the order of the file.
    package var diagnostics: [Diagnostic] { found.sorted { $0.offset < $1.offset }.map(\.diagnostic) }

    /// The file's name without folder and extension.
    package var defaultName: String {
        let file = source.file.split(separator: "/").last ?? ""
        return file.firstIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
    }
}
