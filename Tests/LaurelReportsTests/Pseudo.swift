// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import LaurelReports

/// Pseudo-translations, which check that pages have room for longer texts, and for the other direction.
enum Pseudo {
    /// - Parameter isLong: true for accented letters and half as long again; false for Hebrew letters.
    static func table(_ texts: Set<String>, isLong: Bool) -> TextTable {
        let pairs = texts.map { ($0, TextTable.Entry.text(translated($0, isLong: isLong))) }
        return TextTable(language: isLong ? "x-long" : "he", entries: Dictionary(uniqueKeysWithValues: pairs))
    }

    private static let accented = Dictionary(uniqueKeysWithValues: zip("aeiouyncsAEIOUNC", "àéîöûÿñçšÀÉÎÖÛÑÇ"))
    private static let hebrew = Array("אבגדהוזחטיכלמנסעפצקרשת")

    private static func translated(_ text: String, isLong: Bool) -> String {
        let template = TextTemplate(text)
        var result = ""
        for part in template.parts {
            switch part {
            case .column(let name, _): result += "{\(name)}"
            case .text(let text):
                result += String(
                    text.map { letter in
                        guard let value = letter.asciiValue, letter.isLetter else { return letter }
                        return isLong ? accented[letter] ?? letter : hebrew[Int(value) % hebrew.count]
                    }
                )
            }
        }
        let letters = text.count(where: \.isLetter)
        return isLong && letters > 3 ? result + " " + String(repeating: "é ", count: letters / 4) + "ö" : result
    }
}
