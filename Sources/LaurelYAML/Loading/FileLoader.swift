// SPDX-License-Identifier: Apache-2.0

/// Turns a YAML file into a checked value. It goes on after each mistake, so that one run reports all of them.
package protocol FileLoader {
    /// The mappings that the file consists of.
    associatedtype Keys: SectionKeys

    var source: SourceText { get }
    /// What was found so far, in the order in which it was met.
    var found: [FoundDiagnostic] { get set }
    /// See ``YAMLDocument/scalarEnds``.
    var scalarEnds: [Int: Int] { get set }
}

/// A diagnostic and the byte it is about.
package struct FoundDiagnostic {
    package let offset: Int
    package let diagnostic: Diagnostic
}

/// The most mistakes that are reported; more are not worth reading.
let maximumDiagnostics = 500

extension FileLoader {
    /// A file's text without its byte order mark, which editors do not count.
    package static func text(of bytes: [UInt8], file: String) -> SourceText {
        SourceText(file: file, bytes: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
    }

    /// The file's one document; nil, and reported, where it cannot be read at all.
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

    /// Reports something about the key or value that starts at `offset`.
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

    /// The bytes of the key or value that starts at `offset`; of a mapping or a list, its start.
    package func range(at offset: Int) -> Range<Int> { offset..<max(offset, scalarEnds[offset] ?? offset) }

    /// Where in the file the byte at `offset` of a scalar's text was written.
    package func sourceOffset(of offset: Int, in scalar: YAMLScalar) -> Int {
        ScalarPosition(scalar, in: source.bytes).source(of: offset..<offset).lowerBound
    }

    /// True if there are so many mistakes that suggestions are not worth their time.
    package var isFull: Bool { found.count >= maximumDiagnostics }

    /// In the order of the file.
    package var diagnostics: [Diagnostic] { found.sorted { $0.offset < $1.offset }.map(\.diagnostic) }

    /// The file's name without folder and extension.
    package var defaultName: String {
        let file = source.file.split(separator: "/").last ?? ""
        return file.firstIndex(of: ".").map { String(file[..<$0]) } ?? String(file)
    }
}
