// SPDX-License-Identifier: Apache-2.0

/// The mappings that are built in: each a file beside this one, and an example for whoever writes one.
enum ShippedMappings {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("anki", PackageResources.anki_yaml),
        ("bab-export", PackageResources.bab_export_yaml),
        ("bab-packets", PackageResources.bab_packets_yaml),
        ("coredata-bab-language", PackageResources.coredata_bab_language_yaml),
        ("coredata-flippin", PackageResources.coredata_flippin_yaml),
        ("coredata-immersion-rooms", PackageResources.coredata_immersion_rooms_yaml),
        ("coredata-vocabmaster", PackageResources.coredata_vocabmaster_yaml),
        ("firebase", PackageResources.firebase_yaml),
        ("swiftdata-bab-language", PackageResources.swiftdata_bab_language_yaml),
    ]

    /// - Precondition: they have no mistakes, which the tests see to.
    static let all: [Mapping] = files.map(load)

    /// The one of that name, read anew: a mapping may be read as another.
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
