// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress

/// The data about words in events.
struct DeclaredWords {
    /// The data about one word.
    struct Details {
        var text: [UInt8]?
        var translation: [UInt8]?
        var partOfSpeech: [UInt8]?
        var category: [UInt8]?
        var tags: [String] = []
        var isFavourite = false
        var learnedAt: Int64?
        var encounters = 0
        /// True if the learner has the word now.
        var isThere = false
    }

    /// The stored form of ``Details``. It is small, because a learner may have a million words. A text is stored as
    /// an index; 0 means no text.
    private struct Kept {
        var text: UInt32 = 0
        var translation: UInt32 = 0
        var partOfSpeech: UInt32 = 0
        var category: UInt32 = 0
        /// The index of the tags' JSON list; 0 for none.
        var tags: UInt32 = 0
        var isFavourite = false
        var encounters = 0
        var learnedAt: Int64 = 0
        var hasLearned = false
        /// True if the learner has the word now.
        var isThere = false
    }

    /// The words of a language; `details[i]` belongs to name i + 1.
    private struct Words {
        let language: [UInt8]
        var names = TextTable()
        var details: [Kept] = []
    }

    /// The index of a word and of its language.
    private struct WordIndex {
        var language: Int
        var word: Int
    }

    /// A field of an event about a word.
    private enum Member: String, CaseIterable {
        case word, text, translation, partOfSpeech, category, count, tags, favourite
        /// The other spelling of ``favourite``.
        case favorite
    }

    /// The fields that are read.
    static let fields = Set(Member.allCases.map(\.rawValue))

    private var languages: [Words] = []
    private var texts = TextTable()
    /// The word of the current event.
    private var current: (index: WordIndex, time: Int64)?

    // Cached look-ups in the current table.
    private var address: UnsafeRawPointer?
    /// Retains the table. So no other table can have the same address.
    private var table: EventTable?
    private var members: [Member?] = []
    /// For each language, the words' indexes by the index of the word's text in the current table; −1 if not looked
    /// up yet.
    private var indexesInTable: [(language: UInt32, index: Int, words: [Int32])] = []

    func details(language: [UInt8], word: ArraySlice<UInt8>) -> Details {
        var details = Details()
        guard let words = languages.first(where: { $0.language == language }),
            let name = word.withUnsafeBufferPointer({ words.names.find($0) })
        else { return details }
        let kept = words.details[Int(name) - 1]
        details.text = text(kept.text)
        details.translation = text(kept.translation)
        details.partOfSpeech = text(kept.partOfSpeech)
        details.category = text(kept.category)
        details.tags = text(kept.tags).flatMap { JSONValue(validated: $0) }?.texts ?? []
        details.isFavourite = kept.isFavourite
        details.learnedAt = kept.hasLearned ? kept.learnedAt : nil
        details.encounters = kept.encounters
        details.isThere = kept.isThere
        return details
    }

    private func text(_ index: UInt32) -> [UInt8]? { index == 0 ? nil : Array(texts[index]) }

    /// Reads the data of an event if the event is about a word.
    mutating func take(_ table: EventTable, _ row: Int, _ event: EventContext) {
        current = nil
        guard event.kind.concernsWord else { return }
        if address != table.address { begin(table) }
        let values = table.values(of: row)
        guard let word = values.last(where: { $0.kind == .text && members[Int($0.field)] == .word }) else { return }
        let index = wordIndex(table, row, UInt32(word.payload))
        current = (index, event.time)
        switch event.kind {
        case .wordRemoved: self[index] = Kept()
        case .wordUpdated, .wordUnlearned:
            if self[index].isThere { take(values, of: table, index) }
        case .wordEncountered:
            take(values, of: table, index)
            let count = values.last { members[Int($0.field)] == .count }.flatMap { table.json($0).wholeNumber }
            self[index].encounters = self[index].encounters.saturatingAdd(count ?? 1)
        default: take(values, of: table, index)
        }
    }

    /// Marks the latest event's word as learned.
    mutating func noteLearned() {
        guard let current else { return }
        self[current.index].learnedAt = current.time
        self[current.index].hasLearned = true
    }

    private subscript(index: WordIndex) -> Kept {
        get { languages[index.language].details[index.word] }
        _modify { yield &languages[index.language].details[index.word] }
    }

    private mutating func begin(_ table: EventTable) {
        (address, self.table) = (table.address, table)
        members = (0..<table.fields.count).map { Member(rawValue: table.fields.string(UInt32($0))) }
        indexesInTable.removeAll(keepingCapacity: true)
    }

    private mutating func wordIndex(_ table: EventTable, _ row: Int, _ word: UInt32) -> WordIndex {
        let language = table.language[row]
        let list = indexesInTable.firstIndex { $0.language == language } ?? indexesInTable.count
        if list == indexesInTable.count {
            let index = self.index(ofLanguage: table.languageTag(row) ?? [])
            indexesInTable.append((language, index, Array(repeating: -1, count: table.texts.count)))
        }
        let index = indexesInTable[list].index
        let known = indexesInTable[list].words[Int(word)]
        if known >= 0 { return WordIndex(language: index, word: Int(known)) }
        let name = table.texts[word].withUnsafeBufferPointer { languages[index].names.intern($0) }
        if Int(name) > languages[index].details.count { languages[index].details.append(Kept()) }
        indexesInTable[list].words[Int(word)] = Int32(name) - 1
        return WordIndex(language: index, word: Int(name) - 1)
    }

    private mutating func index(ofLanguage language: [UInt8]) -> Int {
        if let known = languages.firstIndex(where: { $0.language == language }) { return known }
        languages.append(Words(language: language))
        return languages.count - 1
    }

    /// Reads an event's data about its word. Fields that are missing leave the data unchanged.
    private mutating func take(_ values: ArraySlice<EventValue>, of table: EventTable, _ index: WordIndex) {
        self[index].isThere = true
        for value in values {
            guard let member = members[Int(value.field)] else { continue }
            switch value.kind {
            case .text: take(member, UInt32(value.payload), of: table, index)
            case .json where member == .tags: set(index, \.tags, UInt32(value.payload), of: table)
            case .yes, .no:
                if member == .favourite || member == .favorite { self[index].isFavourite = value.kind == .yes }
            default: break
            }
        }
    }

    private mutating func take(_ member: Member, _ text: UInt32, of table: EventTable, _ index: WordIndex) {
        switch member {
        case .text: set(index, \.text, text, of: table)
        case .translation: set(index, \.translation, text, of: table)
        case .partOfSpeech: set(index, \.partOfSpeech, text, of: table)
        case .category: set(index, \.category, text, of: table)
        default: break
        }
    }

    /// Sets a text. Usually the text is the same as before.
    private mutating func set(
        _ index: WordIndex,
        _ member: WritableKeyPath<Kept, UInt32>,
        _ text: UInt32,
        of table: EventTable
    ) {
        let newText = table.texts[text]
        let known = self[index][keyPath: member]
        if known != 0, texts[known].elementsEqual(newText) { return }
        self[index][keyPath: member] = newText.withUnsafeBufferPointer { texts.intern($0) }
    }
}

extension JSONValue {
    /// The texts in a list; empty for any other value.
    fileprivate var texts: [String] {
        guard case .array(let items) = self else { return [] }
        return items.compactMap(\.text)
    }
}

extension EventTable {
    /// The address that identifies a table among tables that are retained.
    fileprivate var address: UnsafeRawPointer? { milliseconds.withUnsafeBytes { $0.baseAddress } }
}
