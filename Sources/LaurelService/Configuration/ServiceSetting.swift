// SPDX-License-Identifier: Apache-2.0

/// A setting: a key of the configuration file, an option of the command, and an environment variable.
public struct ServiceSetting: Sendable {
    /// The name in the file; `listen` is `--listen` and `LAUREL_LISTEN`.
    public let name: String
    /// The placeholder of the value in help; nil for a switch, which a file and the environment set to `true` or
    /// `false`.
    public let value: String?
    public let summary: String
    /// The possible texts; nil if there are too many to list.
    public let choices: [String]?
    /// Sets the value from a text. Returns nil, or a description of the texts that are allowed.
    let set: @Sendable (inout ServiceOptions, String) -> String?
    private let get: @Sendable (ServiceOptions) -> String

    /// The value as text; empty if there is none.
    public func value(in options: ServiceOptions) -> String { get(options) }

    /// The environment variable.
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
