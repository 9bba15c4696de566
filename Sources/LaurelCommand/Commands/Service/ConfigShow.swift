// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelService

extension Command {
    static let configShow = Command(
        "config show",
        "Shows every setting of the service, its value, and its source",
        details: """
            If several of these give a setting, the first one applies: an option, the environment,
            ./laurel.yaml or the file of --config, ~/.config/laurel/laurel.yaml. Passwords in
            addresses are not shown.
            """,
        options: [.config] + .serviceSettings + [.json],
        example: "laurel config show --listen 0.0.0.0:80",
        isGroupDefault: true
    ) { try ConfigShowCommand(arguments: $0, console: $1).run() }
}

private struct ConfigShowCommand {
    let arguments: Arguments
    let console: Console

    private struct Shown: Encodable {
        var setting: String
        /// The value; nil if the setting has no value.
        var value: String?
        /// The source: `--listen`, `LAUREL_LISTEN`, a file's name or `default`.
        var from: String
    }

    func run() throws -> ExitStatus {
        let given = try arguments.serviceSettings()
        // A setting that `serve` would refuse fails here, too.
        _ = try ServiceOptions(given)
        let shown = ServiceSetting.all.map { setting in
            let source = given.first { $0.setting == setting.name }
            let value = source?.value ?? setting.value(in: ServiceOptions())
            let shown = setting.name == CommandOption.store.name ? StoreLocation(value).description : value
            return Shown(
                setting: setting.name,
                value: value.isEmpty ? nil : shown,
                from: source?.source.name ?? "default"
            )
        }
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for setting in shown { try list.add(setting) }
            try list.finish()
            return .done
        }
        var table = Table([.prose("setting"), .prose("value"), .prose("from")])
        for setting in shown { table.add([setting.setting, setting.value ?? "-", setting.from]) }
        try table.write(to: console.output, style: console.style)
        return .done
    }
}
