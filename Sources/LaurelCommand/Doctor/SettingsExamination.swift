// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelService

/// Checks the settings, and looks for misspelled variables.
struct SettingsExamination {
    let arguments: Arguments

    /// Checks the settings. The result also contains the settings that are usable.
    func findings() -> (ServiceOptions, [Finding]) {
        do {
            let given = try arguments.serviceSettings()
            let options = try ServiceOptions(given)
            let files = arguments.configurationFiles
            let source = files.isEmpty ? "no configuration file" : files.joined(separator: ", ")
            return (
                options,
                [Finding("settings", .ok, english: "\(source); `laurel config show` tells each")] + unknownVariables()
            )
        } catch {
            var options = ServiceOptions()
            options.store = arguments.store
            let wrong = Finding(
                "settings",
                .error,
                english: CommandFailure(error).message,
                advice: "`laurel serve --help` lists them"
            )
            return (options, [wrong] + unknownVariables())
        }
    }

    private func unknownVariables() -> [Finding] {
        let known = ServiceSetting.all.map(\.variable)
        let given = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("LAUREL_") && !known.contains($0) }
        return given.sorted().map { name in
            let nearest = known.nearest(to: name).map { "did you mean \($0)?" }
            return Finding("settings", .warning, english: "\(name) is set, and is no setting", advice: nearest)
        }
    }
}
