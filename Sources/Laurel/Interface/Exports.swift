// SPDX-License-Identifier: Apache-2.0

// What the interface names comes along with the engine.
@_exported public import LaurelResults
@_exported public import LaurelWire
