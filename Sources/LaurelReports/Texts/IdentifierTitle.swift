// SPDX-License-Identifier: Apache-2.0

/// Titles for people, made from ids of rules.
enum IdentifierTitle {
    private static let abbreviations: Set<String> = ["xp", "cefr", "id"]

    /// The title of an id. The id is split into words at underscores, dashes, points and changes to upper case. The
    /// first word gets a capital letter. An id with spaces or other characters stays unchanged, because its author
    /// wrote it for people.
    static func of(_ id: String) -> String {
        guard id.allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) }), id.contains(where: \.isLetter) else {
            return id
        }
        var words: [String] = []
        var previous: Character = "_"
        for character in id {
            let isSeparator = "_-.".contains(character)
            let begins = "_-.".contains(previous) || (character.isUppercase && !previous.isUppercase)
            if !isSeparator {
                if begins || words.isEmpty { words.append("") }
                words[words.count - 1].append(character)
            }
            previous = character
        }
        // A word in capitals, such as GDPR, stays in capitals.
        let spelled = words.map { word in
            if abbreviations.contains(word.lowercased()) { return word.uppercased() }
            return word.count > 1 && word == word.uppercased() ? word : word.lowercased()
        }
        let title = spelled.joined(separator: " ")
        return title.prefix(1).uppercased() + title.dropFirst()
    }

    /// The title as part of a sentence, such as “new words”.
    static func phrase(_ id: String) -> String {
        let title = of(id)
        let first = title.prefix { $0 != " " }
        // A word in capitals, such as XP, stays in capitals.
        return first.count > 1 && first == first.uppercased() ? title : title.prefix(1).lowercased() + title.dropFirst()
    }
}
