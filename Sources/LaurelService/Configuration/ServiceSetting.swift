// SPDX-License-Identifier: Apache-2.0

/// A setting of any type. Each setting is a key of the configuration file, an option of the command, and an environment
/// variable.
public struct ServiceSetting: Sendable {
    /// The name in the configuration file. For example, `listen` is also `--listen` and `LAUREL_LISTEN`.
    public let name: String
    /// The placeholder of the value in help; nil for a switch. In a file or the environment, a switch is set to `true`
    /// or `false`.
    public let value: String?
    public let summary: String
    /// The allowed texts; nil if there are too many to list.
    public let choices: [String]?
    /// Sets the value from a text. Returns nil on success, otherwise a description of the allowed texts.
    let set: @Sendable (inout ServiceOptions, String) -> String?
    private let get: @Sendable (ServiceOptions) -> String

    /// The value as text; empty if the setting has no value.
    public func value(in options: ServiceOptions) -> String { get(options) }

    /// The name of the environment variable.
    public var variable: String { "LAUREL_" + name.uppercased().replacing("-", with: "_") }

    /// All settings, in the order of ``ServiceSettings``.
    public static let all = Mirror(reflecting: ServiceSettings.shared).children.compactMap { child in
        (child.value as? any AnySetting)?.erased
    }

    fileprivate init<Value>(_ setting: Setting<Value>) {
        (name, value, choices) = (setting.name, setting.placeholder, setting.choices)
        let initial = setting.show(setting.initial)
        summary = setting.summary + (value == nil || initial.isEmpty ? "" : " (default: \(initial))")
        get = { setting.show($0[setting]) }
        set = { options, text in
            guard let value = setting.read(text) else { return setting.demand }
            options[setting] = value
            return nil
        }
    }
}

/// A setting of any type.
private protocol AnySetting {
    var erased: ServiceSetting { get }
}

extension Setting: AnySetting {
    fileprivate var erased: ServiceSetting { ServiceSetting(self) }
}
