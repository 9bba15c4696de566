// SPDX-License-Identifier: Apache-2.0

/// The built-in mappings. Each is a file in this folder, and serves as an example for authors of mappings.
enum ShippedMappings {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("analytics", PackageResources.analytics_yaml),
        ("anki", PackageResources.anki_yaml),
        ("bab-export", PackageResources.bab_export_yaml),
        ("bab-packets", PackageResources.bab_packets_yaml),
        ("coredata-bab-language", PackageResources.coredata_bab_language_yaml),
        ("coredata-flippin", PackageResources.coredata_flippin_yaml),
        ("coredata-immersion-rooms", PackageResources.coredata_immersion_rooms_yaml),
        ("coredata-vocabmaster", PackageResources.coredata_vocabmaster_yaml),
        ("firebase", PackageResources.firebase_yaml),
        ("swiftdata-bab-language", PackageResources.swiftdata_bab_language_yaml),
        ("word-list", PackageResources.word_list_yaml),
    ]

    /// All built-in mappings.
    /// - Precondition: no mapping has mistakes, which tests ensure.
    static let all: [Mapping] = files.map(load)

    /// Loads the mapping with a name. It does not use `all`, because loading a mapping may need another mapping.
    static func named(_ name: String) -> Mapping? { files.first { $0.name == name }.map(load) }

    static var names: [String] { files.map(\.name) }

    private static func load(_ file: (name: String, bytes: [UInt8])) -> Mapping {
        do {
            return try Mapping(yaml: file.bytes, file: "\(file.name).yaml")
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
