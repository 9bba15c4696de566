// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A message as plain text, for mail programs that do not show web pages.
enum MailText {
    static func text(_ letter: Letter) -> String {
        var blocks = [letter.greeting, letter.title]
        if let sentence = letter.sentence { blocks.append(sentence) }
        if !letter.numbers.isEmpty {
            blocks.append(letter.numbers.map { line($0, letter.texts) }.joined(separator: "\n"))
        }
        for link in [letter.button, letter.page, letter.unsubscribe].compactMap(\.self) {
            blocks.append("\(letter.texts.heading(link.words))\n\(link.address)")
        }
        return blocks.map(EncodedLines.clean).joined(separator: "\n\n") + "\n"
    }

    private static func line(_ number: Headline, _ texts: TextTable) -> String {
        texts.named(number.title, ([number.value] + number.remarks).joined(separator: ", "))
    }
}

/// Cleans the lines of a text, so that data in a line cannot imitate another line.
enum EncodedLines {
    static func clean(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { EncodedWord.clean(String($0)) }
            .joined(separator: "\n")
    }
}
