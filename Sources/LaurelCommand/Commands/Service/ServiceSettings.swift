// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelService

extension Arguments {
    /// The service's settings as far as anybody gives them, those that count first first.
    func serviceSettings() throws -> [GivenSetting] {
        var given: [GivenSetting] = []
        for setting in ServiceSetting.all {
            let option = CommandOption(setting)
            if let value = option.value == nil ? (has(option) ? "true" : nil) : text(option) {
                given.append(GivenSetting(setting.name, value, from: SettingSource(option.flag)))
            }
            if let value = System.environment(setting.variable) {
                given.append(GivenSetting(setting.name, value, from: SettingSource(setting.variable)))
            }
        }
        // All of the options come before all of the environment, setting by setting.
        for file in configurationFiles { given += try ConfigurationFile.read(file) }
        return given
    }

    /// The one that is named; or those there are, the nearest first.
    var configurationFiles: [String] {
        if let file = text(.config) { return [file] }
        let home = System.environment("XDG_CONFIG_HOME") ?? System.environment("HOME").map { "\($0)/.config" }
        return (["laurel.yaml"] + (home.map { ["\($0)/laurel/laurel.yaml"] } ?? [])).filter(System.exists)
    }
}
