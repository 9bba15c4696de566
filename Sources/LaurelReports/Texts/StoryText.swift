// SPDX-License-Identifier: Apache-2.0

package import LaurelResults

/// Stories in a reader's language.
extension LocaleText {
    /// The parts of a story, with its phrases translated and filled.
    package func spans(of story: Story) -> [Story.Span] {
        story.spans.flatMap { span -> [Story.Span] in
            guard case .phrase(let key, let values) = span else { return [span] }
            return spans(key, values)
        }
    }

    private func spans(_ key: PhraseKey, _ values: [Story]) -> [Story.Span] {
        texts.template(key).parts.flatMap { part -> [Story.Span] in
            switch part {
            case .text(let text): return [.text(text)]
            case .column(let name, let forms):
                guard let place = Int(name), values.indices.contains(place - 1) else { return [] }
                let value = spans(of: values[place - 1])
                guard !forms.isEmpty, case .number(let number, _)? = value.first else { return value }
                let unit = ColumnUnit(language: texts.language, forms: forms)
                return value + [.text(unit.counted(number, "", space: " "))]
            }
        }
    }
}
