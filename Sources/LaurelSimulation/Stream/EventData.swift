// SPDX-License-Identifier: Apache-2.0

/// The texts in the `data` of events.
struct DataTables: ~Copyable {
    let scenarios = TextTable(Scenario.all.map(\.name))
    let roles = TextTable(Scenario.all.flatMap(\.roles))
    let names = TextTable(Choices.displayNames)
    let nativeLanguages = TextTable(Zone.all.map(\.nativeLanguage))
    let levels = TextTable(Choices.levels)
    let hints = TextTable(Choices.hintLevels)
    let errorKinds = TextTable(Choices.errorKinds)
    let characters = TextTable(Choices.characters)
    let reasons = TextTable(Choices.adjustmentReasons)
    let quests = TextTable(Choices.questKinds)
    let concepts: TextTable
    /// The ids and texts of vocabulary entries, by language and concept.
    let entries: TextTable
    let texts: TextTable
    /// The part of `word.added` that follows the translation.
    let wordKinds: TextTable

    init() {
        let all = Vocabulary.concepts()
        concepts = TextTable(all.map(\.english))
        entries = TextTable(Language.tags.flatMap { tag in all.map { "\(tag)-\($0.english)" } })
        texts = TextTable(Language.tags.indices.flatMap { place in all.map { $0.words[place] } })
        wordKinds = TextTable(
            all.map { #"","partOfSpeech":"\#($0.partOfSpeech)","category":"\#($0.category)"}"# }
        )
    }
}

extension EventWriter {
    mutating func putData(of event: EventRecord) {
        switch event.happening {
        case .sessionStarted, .sessionEnded, .sessionDiscarded: putSession(event)
        case .lineSpoken, .lineSkipped, .hintUsed, .errorDetected, .errorCorrected: putLine(event.happening)
        case .repairMade, .helpGiven, .teamWon, .scenarioCompleted: putTeamwork(event.happening)
        case .wordAdded, .wordEncountered, .wordLearned, .reviewGraded: putWord(event)
        case .profileSet, .goalChanged, .levelDeclared: putProfile(event)
        case .groupJoined, .groupLeft: putGroup(event.happening)
        default: putRarity(event)
        }
    }

    private mutating func putProfile(_ event: EventRecord) {
        switch event.happening {
        case .profileSet(let goal):
            buffer.put(#","data":{"displayName":""#)
            putDisplayName(of: event.learner)
            buffer.put(#"","nativeLanguage":""#)
            buffer.put(Int(event.zone), of: data.nativeLanguages)
            buffer.put(#"","dailyGoalMinutes":"#)
            buffer.put(number: UInt32(goal))
            buffer.put(#","cohort":"class-"#)
            let group = Classroom.cohort(of: event.learner)
            buffer.put(number: group / 4 + 1)
            buffer.put(byte: UInt8(ascii: "a") + UInt8(group % 4))
            buffer.put(#""}"#)
        case .goalChanged(let goal):
            buffer.put(#","data":{"dailyGoalMinutes":"#)
            buffer.put(number: UInt32(goal))
            buffer.put("}")
        case .levelDeclared(let level):
            buffer.put(#","data":{"level":""#)
            buffer.put(Int(level), of: data.levels)
            buffer.put(#""}"#)
        default: break
        }
    }

    private mutating func putGroup(_ happening: Happening) {
        switch happening {
        case .groupJoined(let kind, let number):
            put(group: kind, number)
            buffer.put(#"","kind":""#)
            buffer.put(kind.name)
            buffer.put(#""}"#)
        case .groupLeft(let kind, let number):
            put(group: kind, number)
            buffer.put(#""}"#)
        default: break
        }
    }

    /// Writes a group's id, such as `friends-12`, as the first field.
    private mutating func put(group kind: Happening.GroupKind, _ number: UInt32) {
        buffer.put(#","data":{"group":""#)
        buffer.put(kind.name)
        buffer.put(byte: UInt8(ascii: "-"))
        buffer.put(number: number)
    }

    private mutating func putSession(_ event: EventRecord) {
        switch event.happening {
        case .sessionStarted(let mode, let scenario, let role, let partner):
            buffer.put(#","data":{"mode":""#)
            put(mode)
            buffer.put(#"","scenario":""#)
            buffer.put(Int(scenario), of: data.scenarios)
            buffer.put(#"","role":""#)
            buffer.put(Int(scenario) * 2 + Int(role), of: data.roles)
            buffer.put(#"","kind":"dialog""#)
            put(partner: partner)
            buffer.put("}")
        case .sessionEnded(let mode, let scenario, let partner, let duration):
            guard duration > 0 else { return }
            buffer.put(#","data":{"durationMs":"#)
            buffer.put(number: duration)
            if event.traits.contains(.android) {
                buffer.put(#","mode":""#)
                put(mode)
                buffer.put(#"","scenario":""#)
                buffer.put(Int(scenario), of: data.scenarios)
                buffer.put(#"""#)
                put(partner: partner)
            }
            buffer.put("}")
        default: break
        }
    }

    private mutating func putLine(_ happening: Happening) {
        switch happening {
        case .lineSpoken(let line, let accuracy, let errors, let words, let duration):
            put(startOf: line)
            buffer.put(#","accuracy":"#)
            buffer.put(percent: accuracy)
            buffer.put(#","errors":"#)
            buffer.put(number: UInt32(errors))
            buffer.put(#","words":"#)
            buffer.put(number: UInt32(words))
            buffer.put(#","durationMs":"#)
            buffer.put(number: duration)
            buffer.put("}")
        case .lineSkipped(let line):
            put(startOf: line)
            buffer.put("}")
        case .hintUsed(let level):
            buffer.put(#","data":{"level":""#)
            buffer.put(Int(level), of: data.hints)
            buffer.put(#""}"#)
        case .errorDetected(let kind, let line), .errorCorrected(let kind, let line):
            put(startOf: line)
            buffer.put(#","kind":""#)
            buffer.put(Int(kind), of: data.errorKinds)
            buffer.put(#""}"#)
        default: break
        }
    }

    private mutating func putTeamwork(_ happening: Happening) {
        switch happening {
        case .repairMade(let line, let helped, let partner):
            put(startOf: line)
            if !helped { buffer.put(#","helped":false"#) }
            put(partner: partner)
            buffer.put("}")
        case .helpGiven(let receiver, let line):
            put(startOf: line)
            buffer.put(#","to":""#)
            put(learner: receiver)
            buffer.put(#""}"#)
        case .teamWon(let partner):
            buffer.put(#","data":{"partner":""#)
            put(learner: partner)
            buffer.put(#""}"#)
        case .scenarioCompleted(let scenario, let errors):
            buffer.put(#","data":{"scenario":""#)
            buffer.put(Int(scenario), of: data.scenarios)
            buffer.put(#"","errors":"#)
            buffer.put(number: UInt32(errors))
            buffer.put("}")
        default: break
        }
    }

    private mutating func putWord(_ event: EventRecord) {
        buffer.put(#","data":{"word":""#)
        switch event.happening {
        case .wordAdded(let word):
            put(entry: word, event.language)
            buffer.put(#"","text":""#)
            buffer.put(
                Int(event.language) * Vocabulary.conceptCount + Int(word) % Vocabulary.conceptCount,
                of: data.texts
            )
            putSense(of: word, " (", ")")
            buffer.put(#"","translation":""#)
            buffer.put(Int(word) % Vocabulary.conceptCount, of: data.concepts)
            putSense(of: word, " (", ")")
            buffer.put(Int(word) % Vocabulary.conceptCount, of: data.wordKinds)
        case .wordEncountered(let word, let times):
            put(entry: word, event.language)
            buffer.put(#"""#)
            if times > 1 {
                buffer.put(#","count":"#)
                buffer.put(number: UInt32(times))
            }
            buffer.put("}")
        case .wordLearned(let word):
            put(entry: word, event.language)
            buffer.put(#""}"#)
        case .reviewGraded(let word, let grade, let duration):
            put(entry: word, event.language)
            buffer.put(#"","grade":""#)
            buffer.put(grade.name)
            buffer.put(#"","durationMs":"#)
            buffer.put(number: duration)
            buffer.put("}")
        default: break
        }
    }

    private mutating func putRarity(_ event: EventRecord) {
        switch event.happening {
        case .objectScanned(let concept, let confidence):
            buffer.put(#","data":{"label":""#)
            buffer.put(Int(concept), of: data.concepts)
            buffer.put(#"","confidence":"#)
            buffer.put(percent: confidence)
        case .conversationEnded(let character, let messages, let words, let errors, let duration):
            buffer.put(#","data":{"character":""#)
            buffer.put(Int(character), of: data.characters)
            buffer.put(#"","messages":"#)
            buffer.put(number: UInt32(messages))
            buffer.put(#","durationMs":"#)
            buffer.put(number: duration)
            buffer.put(#","wordsUsed":"#)
            buffer.put(number: UInt32(words))
            buffer.put(#","grammarErrors":"#)
            buffer.put(number: UInt32(errors))
            buffer.put(#","averageResponseMs":"#)
            buffer.put(number: duration / UInt32(messages) / 2)
        case .streakFrozen(let day), .streakRepaired(let day):
            buffer.put(#","data":{"date":""#)
            put(day: Int(day))
            buffer.put(#"""#)
        case .experienceAdjusted(let amount, let reason):
            buffer.put(#","data":{"amount":"#)
            if amount < 0 { buffer.put("-") }
            buffer.put(number: UInt32(amount.magnitude))
            buffer.put(#","reason":""#)
            buffer.put(Int(reason), of: data.reasons)
            buffer.put(#"""#)
        default: return putCorrection(event)
        }
        buffer.put("}")
    }

    private mutating func putCorrection(_ event: EventRecord) {
        switch event.happening {
        case .eventRetracted(let number, let device):
            buffer.put(#","data":{"source":""#)
            put(sourceOf: event, by: device)
            buffer.put(#"","id":""#)
            put(eventNumber: number, of: event, by: device)
            buffer.put(#""}"#)
        case .questFinished(let kind, let difficulty, let solo):
            buffer.put(#","data":{"difficulty":"#)
            buffer.put(number: UInt32(difficulty))
            buffer.put(#","kind":""#)
            buffer.put(Int(kind), of: data.quests)
            buffer.put(solo ? #"","solo":true}"# : #"","solo":false}"#)
        default: break
        }
    }
}

extension EventWriter {
    /// Writes a display name such as `Zoë K.`. Only one in 1248 learners has the same name.
    private mutating func putDisplayName(of learner: UInt32) {
        let (round, place) = learner.quotientAndRemainder(dividingBy: UInt32(Choices.displayNames.count))
        buffer.put(Int(place &* 29) % Choices.displayNames.count, of: data.names)
        buffer.put(" ")
        buffer.put(byte: UInt8(ascii: "A") + UInt8((round * 7 + place) % 26))
        buffer.put(".")
    }

    private mutating func put(_ mode: Happening.Mode) {
        switch mode {
        case .solo: buffer.put("solo")
        case .host: buffer.put("host")
        case .client: buffer.put("client")
        }
    }

    private mutating func put(partner: UInt32) {
        guard partner != Happening.noPartner else { return }
        buffer.put(#","partner":""#)
        put(learner: partner)
        buffer.put(#"""#)
    }

    private mutating func put(startOf line: Happening.Line) {
        buffer.put(#","data":{"line":""#)
        buffer.put(Int(line.scenario), of: data.scenarios)
        buffer.put(byte: UInt8(ascii: "-"))
        buffer.put(number: UInt32(line.number), digits: 2)
        buffer.put(#"""#)
    }

    private mutating func put(entry word: UInt16, _ language: UInt8) {
        buffer.put(
            Int(language) * Vocabulary.conceptCount + Int(word) % Vocabulary.conceptCount,
            of: data.entries
        )
        putSense(of: word, "-", "")
    }

    /// Writes the number of a concept's sense between two texts, if the sense is not the first.
    private mutating func putSense(of word: UInt16, _ before: StaticString, _ after: StaticString) {
        let sense = Int(word) / Vocabulary.conceptCount
        guard sense > 0 else { return }
        buffer.put(before)
        buffer.put(number: UInt32(sense + 1))
        buffer.put(after)
    }
}

extension Happening.GroupKind {
    var name: StaticString {
        switch self {
        case .friends: "friends"
        case .team: "team"
        }
    }
}

extension Happening.Grade {
    var name: StaticString {
        switch self {
        case .again: "again"
        case .hard: "hard"
        case .good: "good"
        case .easy: "easy"
        }
    }
}
