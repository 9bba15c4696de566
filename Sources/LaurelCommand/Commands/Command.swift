// SPDX-License-Identifier: Apache-2.0

/// One command: what help shows, what the parser accepts, and what it does.
struct Command: Sendable {
    /// `progress`, or with its group: `quarantine list`.
    let name: String
    /// What it does, in one line.
    let summary: String
    /// More than that, where it takes more; lines of at most 80 letters.
    let details: String?
    /// The arguments beside the options; no command takes more than one kind.
    let operand: Operand?
    let options: [CommandOption]
    /// An example that works.
    let example: String
    /// True if the group's name alone means this command.
    let isGroupDefault: Bool
    let run: @Sendable (Arguments, Console) throws -> ExitStatus

    init(
        _ name: String,
        _ summary: String,
        details: String? = nil,
        operand: Operand? = nil,
        options: [CommandOption],
        example: String,
        isGroupDefault: Bool = false,
        run: @escaping @Sendable (Arguments, Console) throws -> ExitStatus
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.operand = operand
        self.options = options
        self.example = example
        self.isGroupDefault = isGroupDefault
        self.run = run
    }

    /// `quarantine` of `quarantine list`.
    var group: String? {
        let parts = name.split(separator: " ")
        return parts.count > 1 ? String(parts[0]) : nil
    }

    /// `list` of `quarantine list`.
    var action: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// `laurel quarantine export [OPTIONS] [ID…]`
    var usage: String {
        ["laurel", name, options.isEmpty ? nil : "[OPTIONS]", operand?.usage].compactMap(\.self).joined(separator: " ")
    }
}

/// THE list of commands. Help and parsing derive from it; a new command is one file in a folder beside this one, and a
/// line below.
extension [Command] {
    static let all: [Command] = [
        .ingest,
        .formatsList, .formatsShow, .formatsCheck,
        .quarantineList, .quarantineExport, .quarantineDrop,
        .progress,
        .words,
        .vocabulary,
        .sessions,
        .studyTime,
        .achievements,
        .explain,
        .learners,
        .leaderboard,
        .report, .reportCheck,
        .rulesCheck, .rulesTest, .rulesDiff, .rulesApply, .rulesWithdraw, .rulesHistory, .rulesShow,
        .replay,
        .fingerprint,
        .export,
        .verify,
        .erase,
        .events,
        .simulate,
        .serve,
        .keysAdd, .keysList, .keysRevoke, .keysRotate,
        .audit,
        .copy,
        .storeCreate, .storeMigrate, .storeStatus,
        .configShow,
        .doctor,
        .completions,
    ]
}
