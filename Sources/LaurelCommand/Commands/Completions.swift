// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let completions = Command(
        "completions",
        "Prints a script that completes commands, options, learners and files",
        details: """
            Prints a script. The Debian package installs it. Without the package, put it where your
            shell looks:

                bash    eval "$(laurel completions bash)"    in ~/.bashrc
                zsh     laurel completions zsh > ~/.zfunc/_laurel, a folder of $fpath
                fish    laurel completions fish > ~/.config/fish/completions/laurel.fish
            """,
        operand: Operand(
            "SHELL",
            .one,
            "bash, zsh or fish",
            completes: .words(CompletionScript.allCases.map(\.rawValue))
        ),
        options: [],
        example: "laurel completions bash"
    ) { arguments, console in
        let name = arguments.operands[0]
        guard let script = CompletionScript(rawValue: name) else {
            let known = CompletionScript.allCases.map(\.rawValue)
            throw UsageError(
                "completions: there is no script for “\(Visible.text(name))”, only for"
                    + " \(known.joined(separator: ", "))\(didYouMean(known.nearest(to: name)))",
                command: arguments.command
            )
        }
        try console.output.write(script.text)
        return .done
    }
}
