// SPDX-License-Identifier: Apache-2.0

/// The files in `Reports/` at build time. `make format` writes this list.
enum BuiltInReports {
    static let sources: [(name: String, yaml: [UInt8])] = [
        ("engagement", PackageResources.engagement_yaml),
        ("experiments", PackageResources.experiments_yaml),
        ("mastery", PackageResources.mastery_yaml),
        ("retention", PackageResources.retention_yaml),
        ("rules-health", PackageResources.rules_health_yaml),
        ("weekly-xp", PackageResources.weekly_xp_yaml),
    ]
}
