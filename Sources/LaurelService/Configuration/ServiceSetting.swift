// SPDX-License-Identifier: Apache-2.0

/// One thing that can be set: as a key of the configuration file, as an option of the command, and as a variable of the environment.
public struct ServiceSetting: Sendable {
    /// The name in the file; `listen` is `--listen` and `LAUREL_LISTEN`.
    public let name: String
    /// The placeholder of its value in help; nil for a switch, which a file and the environment set to `true` or `false`.
    public let value: String?
    public let summary: String
    /// The texts that may set it; nil if there are too many to list.
    public let choices: [String]?
    /// Sets it. Returns nil, or what the text must be instead.
    let set: @Sendable (inout ServiceOptions, String) -> String?
    private let get: @Sendable (ServiceOptions) -> String

    /// Its value, as it would be set; empty where there is none.
    public func value(in options: ServiceOptions) -> String { get(options) }

    /// The variable of the environment.
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
