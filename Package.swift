// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings for modules in which tests spend most of their time: they read events and rules, and fold. `make build-tests`
/// optimises these modules, with assertions. A command then takes half the processor time, and an ingest a fifth.
/// `LaurelStore` is not optimised, because compiling it would take as long as all of these together, and would gain less.
/// Other builds must not set the variable: SwiftPM refuses unsafe flags in a package that another package depends on.
let optimised: [SwiftSetting] =
    swiftSettings
    + (Context.environment["LAUREL_OPTIMISED"] == nil ? [] : [.unsafeFlags(["-O", "-assert-config", "Debug"])])

let package = Package(
    name: "laurel",
    // macOS 15 has the module Synchronization, which the engine needs. The other versions are those that LaurelClient needs.
    platforms: [.macOS(.v15), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Laurel", targets: ["Laurel"]),
        .library(name: "LaurelReports", targets: ["LaurelReports"]),
        .library(name: "LaurelResults", targets: ["LaurelResults"]),
        .library(name: "LaurelSimulation", targets: ["LaurelSimulation"]),
        .library(name: "LaurelClient", targets: ["LaurelClient"]),
        .executable(name: "laurel", targets: ["LaurelCommand"]),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
        .systemLibrary(
            name: "CXXHash",
            pkgConfig: "libxxhash",
            providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]
        ),
        .systemLibrary(
            name: "CMicroHTTPD",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]
        ),
        // CCurl and CSimdjson do not use pkg-config. Its flag for curl adds a system folder, and the compiler would then
        // confuse Foundation's Unicode library with that of libxml2. Its flag for simdjson sets a macro, which packages
        // must not do.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(name: "CSimdjson", providers: [.apt(["libsimdjson-dev"]), .brew(["simdjson"])]),
        // CPostgreSQL does not use pkg-config, because the shim itself names the folder of the headers.
        .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CSystem"),
        .target(
            name: "CEventJSON",
            dependencies: ["CSimdjson"],
            linkerSettings: [
                .linkedLibrary("simdjson"), .linkedLibrary("stdc++", .when(platforms: [.linux])),
                .linkedLibrary("c++", .when(platforms: [.macOS])),
            ]
        ),
        .target(name: "CBoundedSQLite", dependencies: ["CSQLite"], linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "CCheckedPages",
            dependencies: ["CSQLite", "CXXHash"],
            linkerSettings: [.linkedLibrary("sqlite3"), .linkedLibrary("xxhash")]
        ),
        .target(
            name: "LaurelSystem",
            dependencies: ["CSystem"],
            swiftSettings: optimised,
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]
        ),
        .target(name: "LaurelHTTP", dependencies: ["LaurelSystem", "CMicroHTTPD"], swiftSettings: swiftSettings),
        .target(name: "LaurelWire", swiftSettings: optimised),
        .target(name: "LaurelClient", dependencies: ["LaurelWire"], swiftSettings: swiftSettings),
        .target(name: "LaurelResults", dependencies: ["LaurelWire"], swiftSettings: swiftSettings),
        .target(
            name: "LaurelEvents",
            dependencies: ["LaurelSystem", "LaurelWire", "CEventJSON", "CZstd", "CZlib", "CNettle"],
            swiftSettings: optimised
        ),
        .target(
            name: "LaurelYAML",
            dependencies: ["LaurelWire", "LaurelEvents", "CYAML"],
            swiftSettings: optimised
        ),
        .target(
            name: "LaurelRules",
            dependencies: ["LaurelSystem", "LaurelEvents", "LaurelYAML"],
            swiftSettings: optimised
        ),
        .target(
            name: "LaurelProgress",
            dependencies: ["LaurelSystem", "LaurelEvents", "LaurelRules"],
            swiftSettings: optimised
        ),
        .target(
            name: "LaurelAdapters",
            dependencies: [
                "LaurelSystem", "LaurelEvents", "LaurelWire", "LaurelYAML", "CBoundedSQLite", "CSQLite", "CXML", "CZip",
            ],
            resources: [
                .embedInCode("Formats/analytics.yaml"), .embedInCode("Formats/anki.yaml"),
                .embedInCode("Formats/bab-export.yaml"),
                .embedInCode("Formats/bab-packets.yaml"), .embedInCode("Formats/coredata-bab-language.yaml"),
                .embedInCode("Formats/coredata-flippin.yaml"), .embedInCode("Formats/swiftdata-bab-language.yaml"),
                .embedInCode("Formats/coredata-immersion-rooms.yaml"),
                .embedInCode("Formats/coredata-vocabmaster.yaml"), .embedInCode("Formats/firebase.yaml"),
                .embedInCode("Formats/word-list.yaml"),
            ],
            swiftSettings: swiftSettings
        ),
        .target(name: "LaurelPostgreSQL", dependencies: ["CPostgreSQL"], swiftSettings: swiftSettings),
        .target(
            name: "LaurelStore",
            dependencies: [
                "LaurelSystem", "LaurelEvents", "LaurelProgress", "LaurelPostgreSQL", "CBoundedSQLite", "CCheckedPages",
                "CMalloc",
                "CSQLite", "CZstd",
            ],
            swiftSettings: swiftSettings
        ),
        .target(name: "LaurelSimulation", swiftSettings: optimised),
        .target(
            name: "Laurel",
            dependencies: [
                "LaurelSystem", "LaurelWire", "LaurelResults", "LaurelEvents", "LaurelAdapters", "LaurelYAML",
                "LaurelRules",
                "LaurelProgress", "LaurelStore",
            ],
            resources: [.embedInCode("Resources/starter.yaml")],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "LaurelReports",
            dependencies: [
                "LaurelSystem", "Laurel", "LaurelResults", "LaurelEvents", "LaurelYAML", "LaurelRules",
                "LaurelProgress", "LaurelStore",
                "CBoundedSQLite", "CSQLite", "CZip",
            ],
            resources: [
                .embedInCode("Resources/Reports"), .embedInCode("Resources/report.css"),
            ],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "LaurelService",
            dependencies: [
                "LaurelSystem", "LaurelHTTP", "Laurel", "LaurelReports", "LaurelResults", "LaurelWire", "LaurelEvents",
                "LaurelYAML", "LaurelProgress", "LaurelStore", "CCurl",
            ],
            resources: [
                .embedInCode("Dashboard/Resources/dashboard.css"), .embedInCode("Dashboard/Resources/dashboard.js"),
                .embedInCode("Dashboard/Resources/icon.svg"), .embedInCode("Resources/laurel.js"),
                .embedInCode("Resources/laurel.d.ts"), .embedInCode("Resources/descriptions.txt"),
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "LaurelCommand",
            dependencies: [
                "LaurelSystem", "Laurel", "LaurelReports", "LaurelResults", "LaurelSimulation", "LaurelService",
                "LaurelHTTP", "CMalloc",
            ],
            swiftSettings: swiftSettings
        ),
        // An example of a complete app: see docs/embedding.md.
        .executableTarget(
            name: "DialogTrainer",
            dependencies: ["Laurel", "LaurelClient"],
            path: "Examples/DialogTrainer",
            swiftSettings: swiftSettings
        ),
        // An example for an app with the Kotlin client on Apple's systems: Clients/Kotlin.
        .target(
            name: "KotlinBridge",
            dependencies: ["LaurelClient"],
            path: "Examples/KotlinBridge",
            swiftSettings: swiftSettings
        ),
        // The random numbers of tests, with a seed.
        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: swiftSettings),
        // A PostgreSQL server that a test process starts for itself.
        .target(
            name: "DatabaseTesting",
            dependencies: ["LaurelSystem"],
            path: "Tests/DatabaseTesting",
            swiftSettings: swiftSettings
        ),
        // Events and stores for tests, such as a store whose reads and writes can fail.
        .target(
            name: "StoreTesting",
            dependencies: ["LaurelEvents", "LaurelStore", "LaurelProgress"],
            path: "Tests/StoreTesting",
            swiftSettings: swiftSettings
        ),
        // An HTTP client that sends any bytes, valid or not.
        .target(
            name: "HTTPTesting",
            dependencies: ["LaurelSystem"],
            path: "Tests/HTTPTesting",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelClientTests",
            dependencies: [
                "SeededRandom", "LaurelClient", "LaurelEvents", "LaurelWire", "Laurel", "LaurelStore", "OutboxWriter",
                "DialogTrainer", "KotlinBridge", "LaurelHTTP",
            ],
            swiftSettings: swiftSettings
        ),
        // A program that records and delivers events. Tests/Faults kills it, and makes its disk fail.
        .executableTarget(
            name: "OutboxWriter",
            dependencies: ["LaurelClient"],
            path: "Tests/OutboxWriter",
            swiftSettings: swiftSettings
        ),
        // The program for the fuzzer: see Tests/Fuzz. It is not a product.
        .executableTarget(
            name: "LaurelFuzz",
            dependencies: [
                "SeededRandom", "StoreTesting", "LaurelAdapters", "LaurelClient", "LaurelEvents", "LaurelProgress",
                "LaurelReports", "LaurelRules", "LaurelStore", "LaurelSystem", "LaurelYAML", "CSQLite",
            ],
            path: "Tests/Fuzz",
            exclude: ["Corpus", "fuzz", "Slack.cpp"],
            swiftSettings: swiftSettings
        ),
        // Benchmarks that use the library directly: see Benchmarks/README.md. It is not a product.
        .executableTarget(
            name: "LaurelBenchmark",
            dependencies: ["Laurel", "LaurelEvents", "LaurelProgress", "LaurelStore", "CSQLite", "CZstd"],
            path: "Benchmarks/LaurelBenchmark",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelEventsTests",
            dependencies: ["SeededRandom", "LaurelEvents"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelAdaptersTests",
            dependencies: ["SeededRandom", "LaurelAdapters", "LaurelEvents", "LaurelWire", "LaurelYAML"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelRulesTests",
            dependencies: ["SeededRandom", "LaurelRules", "LaurelYAML"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelProgressTests",
            dependencies: ["SeededRandom", "Laurel", "LaurelResults", "LaurelProgress", "LaurelEvents", "LaurelRules"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelStoreTests",
            dependencies: [
                "SeededRandom", "DatabaseTesting", "StoreTesting", "LaurelStore", "LaurelPostgreSQL", "LaurelEvents",
                "LaurelProgress",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelHTTPTests",
            dependencies: ["SeededRandom", "HTTPTesting", "LaurelHTTP", "LaurelSystem"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelServiceTests",
            dependencies: [
                "SeededRandom", "DatabaseTesting", "HTTPTesting", "StoreTesting", "LaurelService", "LaurelHTTP",
                "Laurel", "LaurelEvents",
                "LaurelSystem",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(name: "LaurelSimulationTests", dependencies: ["LaurelSimulation"], swiftSettings: swiftSettings),
        .testTarget(
            name: "LaurelTests",
            dependencies: [
                "SeededRandom", "DatabaseTesting", "StoreTesting", "Laurel", "LaurelClient", "LaurelEvents",
                "LaurelPostgreSQL",
                "LaurelRules",
                "LaurelProgress",
                "LaurelStore",
                "LaurelSimulation",
            ],
            exclude: ["Fixtures"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelReportsTests",
            dependencies: [
                "LaurelReports", "Laurel", "LaurelEvents", "LaurelYAML", "LaurelProgress", "LaurelSimulation",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "LaurelCommandTests",
            dependencies: [
                "SeededRandom", "DatabaseTesting", "LaurelCommand", "Laurel", "LaurelResults", "LaurelWire",
            ],
            swiftSettings: swiftSettings
        ),
    ],
    cxxLanguageStandard: .cxx17
)
