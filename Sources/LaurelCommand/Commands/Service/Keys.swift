// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelService

extension Command {
    static let keysAdd = Command(
        "keys add",
        "Makes a key to the service, and prints it this once",
        details: """
            Scopes are ingest (sending events), read (asking) and admin (rules, erasing, exporting). The store
            keeps a hash of the key alone. A service that runs takes it at once, within seconds.
            """,
        options: [.store, KeysCommand.scope, KeysCommand.source, KeysCommand.learner, KeysCommand.expires, .json],
        example: "laurel keys add --scope ingest,read --source my-app"
    ) { try KeysCommand(arguments: $0, console: $1).add() }

    static let keysList = Command(
        "keys list",
        "The keys that there are, without their secrets",
        options: [.store, .json],
        example: "laurel keys list --store school.db",
        isGroupDefault: true
    ) { try KeysCommand(arguments: $0, console: $1).list() }

    static let keysRevoke = Command(
        "keys revoke",
        "Takes keys back, for good; a service that runs refuses them within seconds",
        operand: Operand("KEY", .oneOrMore, "a key's id, as `laurel keys list` has it"),
        options: [.store],
        example: "laurel keys revoke 5f0c1d2e3a4b"
    ) { try KeysCommand(arguments: $0, console: $1).revoke() }
}

private struct KeysCommand {
    static let scope = CommandOption(
        "scope",
        "LIST",
        "what it may be used for: ingest, read, admin",
        completes: .list(Scope.allCases.map(\.rawValue))
    )
    static let source = CommandOption("source", "S", "only events of this source")
    static let learner = CommandOption("learner", "L", "only this learner", completes: .learners)
    static let expires = CommandOption("expires", "TIME", "until when, RFC 3339 (default: until it is revoked)")

    let arguments: Arguments
    let console: Console

    func add() throws -> ExitStatus {
        guard let text = arguments.text(Self.scope) else {
            throw UsageError("\(Self.scope.usage) is missing", command: arguments.command)
        }
        guard let scopes = Scope.list(text) else {
            let names = Scope.allCases.map(\.rawValue).joined(separator: ", ")
            throw arguments.wrong(Self.scope, "is no list of \(names)")
        }
        let expires = try arguments.instant(Self.expires)?.date
        let keys = AccessKeys(try arguments.openForWriting(clock: System.date()))
        let made = try keys.add(
            scopes,
            source: arguments.text(Self.source),
            learner: arguments.text(Self.learner),
            expiresAt: expires
        )
        if arguments.has(.json) {
            try console.output.writeJSON(Made(id: made.key.id, key: made.secret))
        } else {
            try console.output.write(made.secret + "\n")
        }
        try console.output.flush()
        console.message("key \(made.key.id): it is shown this once")
        return .done
    }

    private struct Made: Encodable {
        var id: String
        var key: String
    }

    func list() throws -> ExitStatus {
        let keys = try AccessKeys(arguments.openForInspection()).all().map(\.listing)
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for key in keys { try list.add(key) }
            try list.finish()
            return .done
        }
        var table = Table([
            .text("key"), .text("scopes"), .prose("source"), .prose("learner"), .text("made (UTC)").spare,
            .text("expires (UTC)"),
        ])
        for key in keys {
            table.add([
                key.id, key.scopes.map(\.rawValue).joined(separator: ","), key.source ?? "", key.learner ?? "",
                TimeText.minute(key.createdAt), key.expiresAt.map(TimeText.minute) ?? "",
            ])
        }
        if !keys.isEmpty { try table.write(to: console.output, style: console.style) }
        try console.output.flush()
        console.message(Numbers.count(keys.count, "key"))
        return .done
    }

    func revoke() throws -> ExitStatus {
        let keys = AccessKeys(try arguments.openForRemoval())
        for id in arguments.operands {
            guard try keys.revoke(id) else {
                throw CommandFailure.wrongRequest(
                    "there is no key “\(Visible.text(id))”",
                    hint: "`laurel keys list` lists them"
                )
            }
            console.message("key \(id) is revoked")
        }
        return .done
    }
}
