// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A suggested word, and its meaning.
struct Candidate: Equatable {
    var text: String
    var summary = ""
}

/// Suggests the next word of a command line.
///
/// The completer parses a command line like ``CommandLineParser``, but accepts missing parts, because the line is
/// unfinished.
struct Completer {
    enum Answer: Equatable {
        case candidates([Candidate])
        /// The names of files, which the shell suggests itself.
        case files([String])
        case folders
    }

    let commands: [Command]

    /// - Parameter words: the words after the tool's name. The last one is being typed, and may be empty.
    func answer(_ words: [String]) -> Answer {
        let typed = words.last ?? ""
        let line = TypedLine(Array(words.dropLast()), commands)
        if let option = line.awaiting { return values(option.completion, typed, line) }
        if !line.isPastOptions, typed.hasPrefix("--") {
            let parts = typed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { return .candidates(options(line, typed)) }
            guard let option = line.option(named: String(parts[0].dropFirst(2))) else { return .candidates([]) }
            return values(option.completion, parts[1], line).prefixed(parts[0] + "=")
        }
        guard let command = line.command else { return .candidates(names(line.operands, typed)) }
        // `report check` is suggested, although `report` is a command, too.
        var candidates = line.operands.count == 1 ? names(line.operands, typed) : []
        let bounds = command.operand?.bounds ?? 0...0
        if line.arguments.count < bounds.upperBound, let operand = command.operand {
            let answer = values(operand.completion, typed, line)
            guard case .candidates(let found) = answer else {
                return candidates.isEmpty ? answer : .candidates(candidates)
            }
            candidates += found
        }
        if candidates.isEmpty, typed.isEmpty || typed == "-", !line.isPastOptions { candidates = options(line, "--") }
        return .candidates(candidates)
    }

    // MARK: Names

    /// The suggestions for a command's name. The first word is a command or a group. The word after a group is one of
    /// the group's commands.
    private func names(_ operands: [String], _ typed: String) -> [Candidate] {
        guard let group = operands.first else {
            var seen: Set<String> = []
            let all = commands.map { Candidate(text: $0.group ?? $0.name, summary: $0.group == nil ? $0.summary : "") }
            // The summary of a group is the list of its commands.
            return all.filter { $0.text.hasPrefix(typed) && seen.insert($0.text).inserted }.map { candidate in
                let actions = commands.filter { $0.group == candidate.text }.map(\.action)
                guard !actions.isEmpty, candidate.summary.isEmpty else { return candidate }
                return Candidate(text: candidate.text, summary: actions.joined(separator: ", "))
            }
        }
        return commands.filter { $0.group == group && $0.action.hasPrefix(typed) }.map {
            Candidate(text: $0.action, summary: $0.summary)
        }
    }

    private func options(_ line: TypedLine, _ typed: String) -> [Candidate] {
        let known = (line.command?.options ?? [.version]) + [.help]
        return known.filter { $0.flag.hasPrefix(typed) && !line.given.contains($0.name) }.map {
            Candidate(text: $0.flag, summary: $0.summary)
        }
    }

    // MARK: Values

    private func values(_ completion: Completion, _ typed: String, _ line: TypedLine) -> Answer {
        switch completion {
        case .nothing: return .candidates([])
        case .files(let extensions): return .files(extensions)
        case .folders: return .folders
        case .list(let words):
            let before = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
            return .candidates(words.map { Candidate(text: before + $0) }.filter { $0.text.hasPrefix(typed) })
        case .words(let words):
            return .candidates(words.map { Candidate(text: $0) }.filter { $0.text.hasPrefix(typed) })
        default:
            // A missing or unreadable store gives neither suggestions nor an error, because the user only pressed a
            // key.
            let found =
                (try? StoredNames(store: line.store).candidates(completion, typed, of: line.arguments.first)) ?? []
            return .candidates(found.filter { $0.text.hasPrefix(typed) })
        }
    }
}

extension Completer.Answer {
    /// The suggestions for the value in a word such as `--option=value`. Each suggestion begins with `--option=`.
    fileprivate func prefixed(_ prefix: String) -> Completer.Answer {
        guard case .candidates(let candidates) = self else { return self }
        return .candidates(candidates.map { Candidate(text: prefix + $0.text, summary: $0.summary) })
    }

    /// The answer in the form that the shells' scripts read. A line consists of a candidate, a tab and the candidate's
    /// summary. If the candidate is empty, the text after the tab is an instruction for the shell.
    var lines: [String] {
        switch self {
        case .files(let extensions): return [(["\tfiles"] + extensions).joined(separator: " ")]
        case .folders: return ["\tfolders"]
        case .candidates(let candidates):
            let isPlain = { (text: String) in text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }
            return candidates.filter { !$0.text.isEmpty && isPlain($0.text) && isPlain($0.summary) }
                .map { $0.summary.isEmpty ? $0.text : "\($0.text)\t\($0.summary)" }
        }
    }
}
