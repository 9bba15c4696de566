// SPDX-License-Identifier: Apache-2.0

/// An event before it is written. It has 40 bytes and no references, so that a day's events of many learners fit in
/// memory.
struct EventRecord {
    var happening: Happening
    var traits: Traits
    /// The index of the zone in `Zone.all`.
    var zone: UInt8
    /// The index of the language in `Language.tags`, or `Language.none`.
    var language: UInt8
    /// The time in milliseconds since the simulation began.
    var time: Int64
    var learner: UInt32
    /// The event's number on its device, counted from 1.
    var number: UInt32
    var session: SessionReference

    var device: Device {
        traits.contains(.server) ? .server : traits.contains(.tablet) ? .tablet : .phone
    }

    struct Traits: OptionSet {
        var rawValue: UInt8
        static let tablet = Traits(rawValue: 1)
        /// Set if the device writes a numeric offset into `time` instead of a `timezone`.
        static let writesOffset = Traits(rawValue: 2)
        static let android = Traits(rawValue: 4)
        /// Set for a repeated event.
        static let copy = Traits(rawValue: 8)
        /// Set for an event from the app's server.
        static let server = Traits(rawValue: 16)
    }
}

/// The senders of a learner's events: two devices, and the app's server.
enum Device: UInt8 {
    case phone, tablet, server

    /// A number that no other device of any learner has.
    func number(of learner: UInt32) -> UInt64 {
        switch self {
        case .phone: UInt64(learner) << 1
        case .tablet: UInt64(learner) << 1 | 1
        case .server: 1 << 40 | UInt64(learner)
        }
    }

    /// The device as a trait of its events.
    var traits: EventRecord.Traits {
        switch self {
        case .phone: []
        case .tablet: .tablet
        case .server: .server
        }
    }
}

/// The id of a session. It consists of the learner who started the session, the device or game, and an ascending
/// number.
struct SessionReference: Equatable {
    enum Origin: UInt8 {
        case phone, tablet, game
    }

    var owner: UInt32 = 0
    /// The session's number. The two highest bits are the device or game; 0 means no session.
    private var packed: UInt32 = 0

    static let none = SessionReference()

    private init() {}

    init(owner: UInt32, origin: Origin, number: UInt32) {
        self.owner = owner
        packed = UInt32(origin.rawValue) << 30 | number
    }

    var number: UInt32 { packed & (1 << 30 - 1) }
    var origin: Origin { Origin(rawValue: UInt8(packed >> 30)) ?? .phone }
}

/// The type and the data of an event. Small numbers are indexes into the tables of the simulated world.
enum Happening {
    enum Mode: UInt8 { case solo, host, client }
    enum Grade: UInt8 { case again, hard, good, easy }
    enum GroupKind: UInt8 { case friends, team }

    /// A line with the id `scenario/number`, which is written as `cafe-07`.
    struct Line {
        var scenario: UInt8
        var number: UInt8
    }

    /// The value of `partner` if there is no partner.
    static let noPartner = UInt32.max

    case profileSet(goalMinutes: UInt8)
    case goalChanged(goalMinutes: UInt8)
    case levelDeclared(level: UInt8)
    case sessionStarted(mode: Mode, scenario: UInt8, role: UInt8, partner: UInt32)
    /// The end of a session. If `durationMs` is 0, the duration is omitted.
    case sessionEnded(mode: Mode, scenario: UInt8, partner: UInt32, durationMs: UInt32)
    case sessionDiscarded
    /// A spoken line. `accuracy` is in percent.
    case lineSpoken(line: Line, accuracy: UInt8, errors: UInt8, words: UInt8, durationMs: UInt32)
    case lineSkipped(line: Line)
    case wordAdded(word: UInt16)
    case wordEncountered(word: UInt16, count: UInt8)
    case wordLearned(word: UInt16)
    case reviewGraded(word: UInt16, grade: Grade, durationMs: UInt32)
    case hintUsed(level: UInt8)
    case errorDetected(kind: UInt8, line: Line)
    case errorCorrected(kind: UInt8, line: Line)
    case repairMade(line: Line, helped: Bool, partner: UInt32)
    case helpGiven(to: UInt32, line: Line)
    case scenarioCompleted(scenario: UInt8, errors: UInt8)
    case teamWon(partner: UInt32)
    /// A scanned object. `confidence` is in percent.
    case objectScanned(concept: UInt8, confidence: UInt8)
    case conversationEnded(character: UInt8, messages: UInt8, words: UInt16, errors: UInt8, durationMs: UInt32)
    /// A frozen day, counted from the first day of the simulation.
    case streakFrozen(day: Int32)
    case streakRepaired(day: Int32)
    case experienceAdjusted(amount: Int16, reason: UInt8)
    case eventRetracted(number: UInt32, device: Device)
    case questFinished(kind: UInt8, difficulty: UInt8, solo: Bool)
    /// The learner is from now on a member of the group with this kind and number.
    case groupJoined(kind: GroupKind, number: UInt32)
    case groupLeft(kind: GroupKind, number: UInt32)

    var type: StaticString {
        switch self {
        case .profileSet, .goalChanged: "learner.updated"
        case .levelDeclared: "level.declared"
        case .sessionStarted: "session.started"
        case .sessionEnded: "session.ended"
        case .sessionDiscarded: "session.discarded"
        case .lineSpoken: "line.spoken"
        case .lineSkipped: "line.skipped"
        case .wordAdded: "word.added"
        case .wordEncountered: "word.encountered"
        case .wordLearned: "word.learned"
        case .reviewGraded: "review.graded"
        case .hintUsed: "hint.used"
        case .errorDetected: "error.detected"
        case .errorCorrected: "error.corrected"
        case .repairMade: "repair.made"
        case .helpGiven: "help.given"
        case .scenarioCompleted: "scenario.completed"
        case .teamWon: "team.won"
        case .objectScanned: "object.scanned"
        case .conversationEnded: "conversation.ended"
        case .streakFrozen: "streak.frozen"
        case .streakRepaired: "streak.repaired"
        case .experienceAdjusted: "xp.adjusted"
        case .eventRetracted: "event.retracted"
        case .questFinished: "quest.finished"
        case .groupJoined: "group.joined"
        case .groupLeft: "group.left"
        }
    }
}
