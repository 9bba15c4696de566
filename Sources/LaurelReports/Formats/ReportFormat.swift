// SPDX-License-Identifier: Apache-2.0

/// THE list of formats in which reports are written.
public enum ReportFormat: String, Sendable, CaseIterable {
    /// A web page: one file without scripts.
    case html
    /// Markdown for mail and chat.
    case markdown = "md"
    /// One file per table.
    case csv
    /// All tables as JSON, with unformatted numbers.
    case json

    /// The document as one file; nil for `csv`, which has several files.
    package func write(_ document: Document, locale: String) -> String? {
        switch self {
        case .html: page(document, LocaleText(identifier: locale, texts: document.texts))
        case .markdown: MarkdownFormat(locale: LocaleText(identifier: locale, texts: document.texts)).text(document)
        case .json: JSONFormat.text(document)
        case .csv: nil
        }
    }

    /// The document as files. Their names are made from the report's name, week, subject and language.
    package func files(_ document: Document, locale: String) -> [(name: String, content: String)] {
        var base = document.name + "-" + document.week
        switch document.subject {
        case .learner(let id, _): base += "-" + FileName.of(id)
        case .cohort(let name): base += "-cohort-" + FileName.of(name)
        case .everyone: break
        }
        if document.language != "*" { base += "-" + FileName.of(document.language) }
        return files(document, LocaleText(identifier: locale, texts: document.texts), base: base)
    }

    /// The document as files whose names begin with `base`. A web page comes with the complete files of the tables that
    /// it shows only in part.
    func files(_ document: Document, _ locale: LocaleText, base: String) -> [(name: String, content: String)] {
        switch self {
        case .html:
            var document = document
            let tables = CSVFormat.tableFiles(&document, base: base)
            return [(base + ".html", page(document, locale))] + tables
        case .markdown: return [(base + ".md", MarkdownFormat(locale: locale, pages: document.pages).text(document))]
        case .json: return [(base + ".json", JSONFormat.text(document))]
        case .csv: return CSVFormat.files(document, base: base)
        }
    }

    private func page(_ document: Document, _ locale: LocaleText) -> String {
        HTMLFormat(locale: locale, pages: document.pages).page(document)
    }
}

/// A report with its data. It can be written in any format.
public struct ReportDocument: Sendable {
    private let document: Document
    private let locale: String

    init(_ document: Document, _ request: ReportRequest) { (self.document, locale) = (document, request.locale) }

    /// The report as one file; nil for ``ReportFormat/csv``, which has several files.
    public func text(_ format: ReportFormat) -> String? { format.write(document, locale: locale) }

    /// The report as HTML, for use in another page with the style sheet ``PageChart/style``.
    package var part: HTML {
        HTMLFormat(locale: LocaleText(identifier: locale, texts: document.texts)).part(document)
    }

    /// The report as files, with their names.
    public func files(_ format: ReportFormat) -> [ReportFile] {
        format.files(document, locale: locale).map { ReportFile(name: $0.name, content: $0.content) }
    }
}

/// A file of a report.
public struct ReportFile: Sendable, Hashable {
    /// The file's name, without a folder.
    public var name: String
    /// Its text, UTF-8.
    public var content: String
}
