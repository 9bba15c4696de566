// SPDX-License-Identifier: Apache-2.0

/// The version of Laurel, by SemVer; this is its only place. See docs/stability.md for what a version guarantees.
package let laurelVersion = "0.3.0"
