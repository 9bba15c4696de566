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
        if let folder = System.environment("CREDENTIALS_DIRECTORY"), System.exists("\(folder)/\(Self.credential)") {
            let source = SettingSource("systemd's credential \(Self.credential)")
            given.append(GivenSetting("signing-key-file", "\(folder)/\(Self.credential)", from: source))
        }
        return given
    }

    /// The name of the credential that systemd hands over a signing key by.
    private static let credential = "laurel-signing-key"

    /// The one that is named; or those there are, the nearest first.
    var configurationFiles: [String] {
        if let file = text(.config) { return [file] }
        let home = System.environment("XDG_CONFIG_HOME") ?? System.environment("HOME").map { "\($0)/.config" }
        return (["laurel.yaml"] + (home.map { ["\($0)/laurel/laurel.yaml"] } ?? [])).filter(System.exists)
    }
}
