// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Prevents the compiler from removing unused values.
func use(_ value: some Any) { withExtendedLifetime(value) {} }

/// Prints a value for a test to compare.
func tell(_ name: String, _ value: some Any) { print("\(name): \(value)") }

let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-outside-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

ProgressEngine.configureProcess()
useValues()
useWire()
try await useClient(folder)
let school = try School(folder)
try school.ask()
try await school.askInTask()
try school.explain()
try school.buy()
try school.fit()
try school.changeRules()
try await school.applyInTask()
try await school.watch()
try school.report()
try school.administer()
try await school.administerInTask()
