// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import LaurelReports

/// Translations that nobody reads, to see whether pages hold texts that are longer, or that run the other way.
enum Pseudo {
    /// - Parameter isLong: in accented letters and half as long again; else in Hebrew letters.
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
