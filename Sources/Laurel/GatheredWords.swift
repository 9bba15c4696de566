import LaurelEvents
import LaurelProgress

/// What events have told of words.
struct GatheredWords {
    struct Details {
        /// Whether the word is known.
        fileprivate var isThere = false
        var text: [UInt8]?
        var translation: [UInt8]?
        var partOfSpeech: [UInt8]?
        var category: [UInt8]?
        var learnedAt: Int64?
        var encounters = 0
    }

    /// Bytes, because Swift's strings are equal where only their Unicode normal form differs.
    private struct Key: Hashable {
        var language: [UInt8]
        var word: [UInt8]
    }

    /// What a field of an event tells.
    private enum Member: String, CaseIterable {
        case word, text, translation, partOfSpeech, category, count
    }

    /// The fields that are read.
    static let fields = Set(Member.allCases.map(\.rawValue))

    private var places: [Key: Int] = [:]
    private var details: [Details] = []
    /// The word that the present event concerns.
    private var current: (place: Int, time: Int64)?

    // What was looked up for the present table.
    private var address: UnsafeRawPointer?
    /// As long as the table is kept no other can lie where it does.
    private var table: EventTable?
    private var members: [Member?] = []
    /// Per language, by the index of the word's text; −1 where not yet known.
    private var placesInTable: [(language: UInt32, places: [Int32])] = []

    func details(language: [UInt8], word: [UInt8]) -> Details {
        places[Key(language: language, word: word)].map { details[$0] } ?? Details()
    }

    /// Takes what an event tells, if it concerns a word.
    mutating func take(_ table: EventTable, _ row: Int, _ event: EventContext) {
        current = nil
        guard event.kind.concernsWord else { return }
        if address != table.address { begin(table) }
        let values = table.values(of: row)
        guard let word = values.last(where: { $0.kind == .text && members[Int($0.field)] == .word }) else { return }
        let place = place(table, table.language[row], UInt32(word.payload))
        current = (place, event.time)
        switch event.kind {
        case .wordRemoved: details[place] = Details()
        case .wordUpdated, .wordUnlearned:
            if details[place].isThere { take(values, of: table, place) }
        case .wordEncountered:
            take(values, of: table, place)
            let count = values.last { members[Int($0.field)] == .count }.flatMap { table.json($0).wholeNumber }
            details[place].encounters = details[place].encounters.saturatingAdd(count ?? 1)
        default: take(values, of: table, place)
        }
    }

    /// The event taken last has made its word a learned one.
    mutating func noteLearned() {
        if let current { details[current.place].learnedAt = current.time }
    }

    private mutating func begin(_ table: EventTable) {
        (address, self.table) = (table.address, table)
        members = (0..<table.fields.count).map { Member(rawValue: table.fields.string(UInt32($0))) }
        placesInTable.removeAll(keepingCapacity: true)
    }

    private mutating func place(_ table: EventTable, _ language: UInt32, _ word: UInt32) -> Int {
        let list = placesInTable.firstIndex { $0.language == language } ?? placesInTable.count
        if list == placesInTable.count {
            placesInTable.append((language, Array(repeating: -1, count: table.texts.count)))
        }
        let known = placesInTable[list].places[Int(word)]
        if known >= 0 { return Int(known) }
        let key = Key(language: Array(table.texts[language]), word: Array(table.texts[word]))
        let place = places[key] ?? details.count
        if place == details.count {
            places[key] = place
            details.append(Details())
        }
        placesInTable[list].places[Int(word)] = Int32(place)
        return place
    }

    /// Takes what an event tells of its word; what it does not tell stays as it was.
    private mutating func take(_ values: ArraySlice<EventValue>, of table: EventTable, _ place: Int) {
        details[place].isThere = true
        for value in values where value.kind == .text {
            let text = table.texts[UInt32(value.payload)]
            switch members[Int(value.field)] {
            case .text: GatheredWords.set(&details[place].text, text)
            case .translation: GatheredWords.set(&details[place].translation, text)
            case .partOfSpeech: GatheredWords.set(&details[place].partOfSpeech, text)
            case .category: GatheredWords.set(&details[place].category, text)
            default: break
            }
        }
    }

    /// Mostly it is what was told before.
    private static func set(_ known: inout [UInt8]?, _ told: ArraySlice<UInt8>) {
        if known?.elementsEqual(told) != true { known = Array(told) }
    }
}

extension EventTable {
    /// Tells tables apart as long as both are kept.
    fileprivate var address: UnsafeRawPointer? { milliseconds.withUnsafeBytes { $0.baseAddress } }
}
