/// What was found wrong in one file.
package struct DiagnosticList {
    /// After so many, further mistakes are not worth reading.
    static let maximum = 500

    package let source: SourceText
    private var found: [(offset: Int, diagnostic: Diagnostic)] = []

    package init(source: SourceText) {
        self.source = source
    }

    /// Whether so much is wrong that looking for suggestions is a waste.
    package var isFull: Bool { found.count >= Self.maximum }

    /// In the order of the file.
    package var inOrder: [Diagnostic] { found.sorted { $0.offset < $1.offset }.map(\.diagnostic) }

    package mutating func report(
        _ offset: Int,
        _ message: String,
        suggestion: String?,
        _ severity: Diagnostic.Severity
    ) {
        guard !isFull else { return }
        let position = source.position(at: offset)
        let diagnostic = Diagnostic(
            severity,
            file: source.file,
            line: position.line,
            column: position.column,
            message,
            suggestion: suggestion
        )
        found.append((offset, diagnostic))
    }
}
