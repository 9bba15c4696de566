// SPDX-License-Identifier: Apache-2.0

import Testing

/// The suggestions of shells, from the tool itself and in real shells.
@Suite struct CompletionTests {
    private struct Typed: CustomTestStringConvertible {
        let words: [String]
        /// All lines, or the first ones if `more` is true.
        let offered: [String]
        var more = false

        init(_ words: String..., offers offered: [String], more: Bool = false) {
            (self.words, self.offered, self.more) = (words, offered, more)
        }

        var testDescription: String { words.map { "“\($0)”" }.joined(separator: " ") }
    }

    private static let all = [
        Typed("ing", offers: ["ingest\tReads and stores events, and updates all progress"]),
        Typed("quar", offers: ["quarantine\tlist, export, drop"]),
        Typed(
            "rules",
            "app",
            offers: ["apply\tComputes all progress under other rules, then puts them in force at once"]
        ),
        Typed("help", "erase", offers: ["erase\tRemoves a learner's events, progress and quarantined lines for good"]),
        Typed("progress", "", offers: ["anna", "さくら"]),
        Typed("progress", "an", offers: ["anna"]),
        Typed("progress", "anna", "--la", offers: ["--language\tonly this language, such as es"]),
        Typed("progress", "--json", "--js", offers: []),
        Typed("progress", "anna", "--language", "", offers: ["es"]),
        Typed("progress", "anna", "--language=", offers: ["--language=es"]),
        Typed(
            "progress",
            "--store",
            "none.db",
            "",
            offers: [
                "--rules\tthe rules to use (default: the store's own)",
                "--at\tthe instant to read as of, RFC 3339 (default: now)",
            ],
            more: true
        ),
        Typed("progress", "--", "--", offers: []),
        Typed("report", "weekly", offers: ["weekly-xp\tThe week in XP"]),
        Typed("report", "ch", offers: ["check\tChecks reports, and runs their queries"]),
        Typed("report", "mastery", "--learner", "a", offers: ["anna"]),
        Typed("ingest", "--format", "ank", offers: ["anki"], more: true),
        Typed("rules", "apply", "", offers: ["\tfiles yaml yml json"]),
        Typed("rules", "apply", "--nonsense=", offers: []),
        Typed("ingest", "--rules=", offers: ["\tfiles yaml yml json"]),
        Typed("rules", "show", "", offers: ["1\tsmall, in force"]),
        Typed("keys", "add", "--scope", "ingest,re", offers: ["ingest,read"]),
        Typed("leaderboard", "--week", "", offers: ["last"]),
        Typed("report", "--out", "", offers: ["\tfolders"]),
        Typed("completions", "", offers: ["bash", "zsh", "fish"]),
        Typed("nonsense", "", offers: []),
        Typed("progress", "--nonsense=", offers: []),
    ]

    @Test(arguments: all) private func `what is offered follows from the table of commands and the store`(typed: Typed)
        throws
    {
        let laurel = try Laurel(events: Laurel.events)
        let outcome = try laurel.run(["complete"] + typed.words)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        // The format's summary is that of the mapping.
        let found = typed.more ? lines.prefix(typed.offered.count).map { $0 } : lines
        #expect(
            zip(found, typed.offered).allSatisfy { $0.hasPrefix($1) } && found.count == typed.offered.count,
            "\(lines)"
        )
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(!laurel.exists("none.db"))
    }

    /// Ids with a colon, a space and a quote, and a rules file beside another file.
    private func prepared() throws -> Laurel {
        let laurel = try Laurel(
            events: ["app:7", "tom o'hara"].map {
                #"{"id":"1","source":"app","type":"line.spoken","subject":"\#($0)","language":"es","time":"2026-02-04T18:00:00Z"}"#
            }.joined(separator: "\n")
        )
        try laurel.write("", to: "notes.txt")
        return laurel
    }

    private static let bash = #"""
        . /usr/share/bash-completion/bash_completion; eval "$(laurel completions bash)"; compopt() { :; }
        offer() {
            COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=(${1//[:=]/ & })
            [[ $1 != *[\ :=] ]] || COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _laurel; echo "${COMPREPLY[*]}"
        }

        """#

    @Test(arguments: [
        ("laurel quarantine ex", "export"), ("laurel progress app:", "7"), ("laurel progress t", #"tom\ o\'hara"#),
        ("laurel rules apply rul", "rules.yaml"), ("laurel ingest --rules=rul", "rules.yaml"),
        ("laurel rules apply no", ""),
        ("laurel ingest no", "notes.txt"), ("laurel report --format=js", "json"), ("laurel report --out ", "bin"),
    ]) func `bash completes`(words: String, offered: String) throws {
        let outcome = try prepared().shell(Self.bash + "shopt -s patsub_replacement; offer '\(words)'")
        #expect(outcome.output == offered + "\n", "\(outcome)")
    }

    @Test(arguments: [
        ("laurel quarantine ex", "laurel quarantine export "), ("laurel progress ap", #"laurel progress app:7 "#),
        ("laurel progress to", #"laurel progress tom\ o\'hara "#),
        ("laurel rules apply rul", "laurel rules apply rules.yaml "),
        ("laurel ingest --rules=rul", "laurel ingest --rules=rules.yaml "),
        ("laurel ingest no", "laurel ingest notes.txt "),
    ]) func `zsh completes`(typed: String, becomes: String) throws {
        let script = #"""
            zmodload zsh/zpty; zpty z zsh -f -i
            zpty -w z 'PS1=; autoload -Uz compinit; compinit -u -D; source <(laurel completions zsh)'
            zpty -w z 'show() { print -r -- "<$BUFFER>"; }; zle -N show; bindkey "^X" show; print rea""dy'
            until [[ $line == *ready* ]]; do zpty -r z line || exit; done
            zpty -wn z "$1"$'\t\C-x'
            until [[ $line == *'<laurel'*'>'* ]]; do zpty -r z line || exit; done
            print -r -- "${${line##*<}%%>*}"; zpty -d z

            """#
        let laurel = try prepared()
        try laurel.write(script, to: "drive.zsh")
        let outcome = try laurel.shell("timeout 60 zsh -f drive.zsh '\(typed)'", environment: ["TERM": "dumb"])
        #expect(outcome.output == becomes + "\n", "\(outcome)")
    }

    @Test(arguments: [
        ("laurel quarantine ex", "export"), ("laurel progress ap", "app:7"), ("laurel progress to", "tom o'hara"),
        ("laurel rules apply rul", "rules.yaml"), ("laurel ingest --rules=rul", "--rules=rules.yaml"),
        ("laurel rules apply no", ""),
        ("laurel ingest no", "notes.txt"),
    ]) func `fish completes`(typed: String, offered: String) throws {
        let outcome = try prepared().shell(
            #"laurel completions fish > laurel.fish; HOME=$PWD fish -N -c 'source laurel.fish; complete -C "\#(typed)"' | cut -f1"#
        )
        #expect(outcome.output == (offered.isEmpty ? "" : offered + "\n"), "\(outcome)")
    }

    @Test func `an unknown shell is refused with the nearest name`() throws {
        let outcome = try Laurel().run("completions", "zssh")
        #expect(outcome.status == 2)
        #expect(
            outcome.messages.first
                == "completions: there is no script for “zssh”, only for bash, zsh, fish; did you mean zsh?"
        )
    }
}
