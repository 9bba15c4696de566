// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// A package like yours, which depends on Laurel by a tag. .ci/check-outside fills in the location and the tag.
let package = Package(
    name: "outside",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "LOCATION", exact: "VERSION")],
    targets: [
        .executableTarget(
            name: "Outside",
            dependencies: [
                .product(name: "Laurel", package: "laurel"),
                .product(name: "LaurelClient", package: "laurel"),
                .product(name: "LaurelReports", package: "laurel"),
                .product(name: "LaurelResults", package: "laurel"),
                .product(name: "LaurelSimulation", package: "laurel"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        )
    ]
)
