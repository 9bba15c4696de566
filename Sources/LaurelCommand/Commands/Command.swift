// SPDX-License-Identifier: Apache-2.0

/// A command: its help text, its options and operands, and its function.
struct Command: Sendable {
    /// The name, such as `progress`. In a group, the name begins with the group: `quarantine list`.
    let name: String
    /// The effect, in one line.
    let summary: String
    /// A longer description, in lines of at most 90 characters; nil if the summary is enough.
    let details: String?
    /// The arguments besides the options. A command takes at most one kind of argument.
    let operand: Operand?
    let options: [CommandOption]
    /// An example that works.
    let example: String
    /// True if the group's name alone runs this command.
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

    /// The group, such as `quarantine` for `quarantine list`; nil for a command without a group.
    var group: String? {
        let parts = name.split(separator: " ")
        return parts.count > 1 ? String(parts[0]) : nil
    }

    /// The name without the group, such as `list` for `quarantine list`.
    var action: String { name.split(separator: " ").last.map(String.init) ?? name }

    /// The usage line, such as `laurel quarantine export [OPTIONS] [ID…]`.
    var usage: String {
        ["laurel", name, options.isEmpty ? nil : "[OPTIONS]", operand?.usage].compactMap(\.self).joined(separator: " ")
    }
}

/// THE list of commands. Help and parsing use it. For a new command, add a file in a folder beside this file, and a
/// line below.
extension [Command] {
    static let all: [Command] = [
        .ingest,
        .formatsList, .formatsShow, .formatsDraft, .formatsCheck,
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
        .groups, .league,
        .report, .reportCheck,
        .rulesCheck, .rulesTest, .rulesDiff, .rulesApply, .rulesWithdraw, .rulesHistory, .rulesShow,
        .replay,
        .fingerprint,
        .export,
        .tables,
        .verify,
        .buy,
        .merge,
        .fit,
        .erase,
        .events,
        .simulate,
        .serve,
        .conform,
        .keysAdd, .keysList, .keysRevoke, .keysRotate,
        .audit,
        .backup,
        .restore,
        .copy,
        .storeCreate, .storeMigrate, .storeStatus,
        .configShow,
        .doctor,
        .completions,
    ]
}
