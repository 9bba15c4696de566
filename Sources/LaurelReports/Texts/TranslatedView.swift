// SPDX-License-Identifier: Apache-2.0

/// Visits every English text of a report, and can replace it.
struct TextVisitor {
    /// Receives a text, and returns the text that replaces it. Both may contain `{column}`.
    var text: (String) -> String
    var unit: (ColumnUnit) -> ColumnUnit
    /// Receives each text that a column may contain.
    var value: (String) -> Void = { _ in }
}

extension ReportView {
    /// The view in another language.
    func translated(by texts: TextTable) -> ReportView {
        var view = self
        view.visit(TextVisitor(text: texts.text, unit: texts.unit))
        return view
    }

    mutating func visit(_ visitor: TextVisitor) {
        for section in sections.indices {
            sections[section].title = sections[section].title.map(visitor.text)
            for exhibit in sections[section].exhibits.indices {
                sections[section].exhibits[exhibit].visit(visitor)
            }
        }
    }
}

extension ExhibitDefinition {
    mutating func visit(_ visitor: TextVisitor) {
        title = title.map(visitor.text)
        note = note.map(visitor.text)
        empty = empty.map(visitor.text)
        counted = counted.map(visitor.unit)
        countedTitle = countedTitle.map(visitor.text)
        text = text?.map { TextTemplate(visitor.text($0.source)) }
        let titled = Set(titledColumns.map(\.name))
        for index in columns.indices {
            if titled.contains(columns[index].name) { columns[index].title = visitor.text(columns[index].title) }
            columns[index].unit = columns[index].unit.map(visitor.unit)
            // A note that consists only of a column has no words to translate.
            if let note = columns[index].note, note.hasWords {
                columns[index].note = TextTemplate(visitor.text(note.source))
            }
            columns[index].values.forEach(visitor.value)
        }
    }

    /// The columns whose titles are shown. Only a grid shows the title of its series.
    private var titledColumns: [ColumnDefinition] {
        guard show != .text else { return [] }
        return shownColumns.filter {
            ($0.name != series || show == .heatmap) && !$0.title.allSatisfy(\.isWhitespace)
        }
    }
}

extension TextTemplates {
    func map(_ change: (TextTemplate) -> TextTemplate) -> TextTemplates {
        switch self {
        case .one(let template): .one(change(template))
        case .choice(let templates): .choice(templates.mapValues(change))
        }
    }
}

extension TextTemplate {
    /// True if the text contains words to translate.
    var hasWords: Bool {
        parts.contains { if case .text(let text) = $0 { text.contains(where: \.isLetter) } else { false } }
    }
}

/// Collects the texts of a report that need a translation.
final class TextCollector {
    private(set) var texts: Set<String> = []
    private(set) var units: Set<String> = []

    /// Collects every English text of a report that a reader may see. The texts of ``Phrase`` are left out.
    init(_ title: String, _ views: [ReportView]) {
        texts.insert(title)
        for var view in views {
            view.visit(
                TextVisitor { text in
                    self.texts.insert(text)
                    return text
                } unit: { unit in
                    self.units.insert(unit.other)
                    return unit
                } value: { text in
                    self.texts.insert(text)
                }
            )
        }
    }

    var all: Set<String> { texts.union(units) }
}

extension ReportDefinition {
    var textsToTranslate: Set<String> { TextCollector(title, [learner, cohort, mail].compactMap(\.self)).all }
}
