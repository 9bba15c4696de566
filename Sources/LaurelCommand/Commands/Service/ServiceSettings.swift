// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelService

extension Arguments {
    /// The service's settings from all sources. If several sources give the same setting, the first one applies.
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
        // For each setting, the option comes before the environment variable, and both come before the files.
        for file in configurationFiles { given += try ConfigurationFile.read(file) }
        if let folder = System.environment("CREDENTIALS_DIRECTORY"), System.exists("\(folder)/\(Self.credential)") {
            let source = SettingSource("systemd's credential \(Self.credential)")
            given.append(GivenSetting("signing-key-file", "\(folder)/\(Self.credential)", from: source))
        }
        return given
    }

    /// The name of the systemd credential that contains a signing key.
    private static let credential = "laurel-signing-key"

    /// The configuration files to read, in order of precedence: the file that the user named, or else the default files
    /// that exist.
    var configurationFiles: [String] {
        if let file = text(.config) { return [file] }
        let home = System.environment("XDG_CONFIG_HOME") ?? System.environment("HOME").map { "\($0)/.config" }
        return (["laurel.yaml"] + (home.map { ["\($0)/laurel/laurel.yaml"] } ?? [])).filter(System.exists)
    }
}
