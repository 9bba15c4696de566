// SPDX-License-Identifier: Apache-2.0

/// The version of Laurel, by SemVer; it stands nowhere else. What a version promises is told in docs/stability.md.
package let laurelVersion = "0.3.0"
