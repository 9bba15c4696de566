// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "laurel",
    products: [
        .library(name: "Laurel", targets: ["Laurel"]),
        .executable(name: "laurel", targets: ["LaurelCommand"]),
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "CSimdjson",
            linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]
        ),
        .target(name: "LaurelEvents", dependencies: ["CSimdjson", "CZstd", "CZlib"], swiftSettings: swiftSettings),
        .target(name: "LaurelYAML", dependencies: ["LaurelEvents", "CYAML"], swiftSettings: swiftSettings),
        .target(name: "LaurelRules", dependencies: ["LaurelEvents", "LaurelYAML"], swiftSettings: swiftSettings),
        .target(name: "LaurelProgress", dependencies: ["LaurelEvents", "LaurelRules"], swiftSettings: swiftSettings),
        .target(
            name: "LaurelAdapters",
            dependencies: ["LaurelEvents", "LaurelYAML", "CSQLite", "CZip"],
            resources: [
                .embedInCode("Formats/anki.yaml"), .embedInCode("Formats/bab-export.yaml"),
                .embedInCode("Formats/bab-packets.yaml"), .embedInCode("Formats/coredata-flippin.yaml"),
                .embedInCode("Formats/coredata-immersion-rooms.yaml"),
                .embedInCode("Formats/coredata-vocabmaster.yaml"), .embedInCode("Formats/firebase.yaml"),
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "LaurelStore",
            dependencies: ["LaurelEvents", "LaurelProgress", "CSQLite", "CZstd"],
            swiftSettings: swiftSettings
        ),
        .target(name: "LaurelSimulation", swiftSettings: swiftSettings),
        .target(
            name: "Laurel",
            dependencies: [
                "LaurelEvents", "LaurelAdapters", "LaurelYAML", "LaurelRules", "LaurelProgress", "LaurelStore",
            ],
            resources: [.embedInCode("Resources/bab-language.yaml")],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "LaurelCommand",
            dependencies: [
                "Laurel", "LaurelEvents", "LaurelAdapters", "LaurelYAML", "LaurelRules", "LaurelProgress",
                "LaurelStore",
                "LaurelSimulation",
            ],
            swiftSettings: swiftSettings
        ),
        // Measures from within, see Benchmarks/README.md; no product, it is not for users.
        .executableTarget(
            name: "LaurelBenchmark",
            dependencies: ["Laurel", "LaurelEvents", "LaurelStore", "CSQLite", "CZstd"],
            path: "Benchmarks/LaurelBenchmark",
            swiftSettings: swiftSettings
        ),
        .testTarget(name: "LaurelEventsTests", dependencies: ["LaurelEvents"], swiftSettings: swiftSettings),
        .testTarget(
            name: "LaurelAdaptersTests",
            dependencies: ["LaurelAdapters", "LaurelEvents", "LaurelYAML"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelRulesTests",
            dependencies: ["LaurelRules", "LaurelYAML"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelProgressTests",
            dependencies: ["LaurelProgress", "LaurelEvents", "LaurelRules"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelStoreTests",
            dependencies: ["LaurelStore", "LaurelEvents", "LaurelProgress"],
            swiftSettings: swiftSettings
        ),
        .testTarget(name: "LaurelSimulationTests", dependencies: ["LaurelSimulation"], swiftSettings: swiftSettings),
        .testTarget(
            name: "LaurelTests",
            dependencies: [
                "Laurel", "LaurelEvents", "LaurelRules", "LaurelProgress", "LaurelStore", "LaurelSimulation",
            ],
            exclude: ["Fixtures"],
            swiftSettings: swiftSettings
        ),
        .testTarget(name: "LaurelCommandTests", dependencies: ["LaurelCommand"], swiftSettings: swiftSettings),
    ],
    cxxLanguageStandard: .cxx17
)
