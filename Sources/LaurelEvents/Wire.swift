// SPDX-License-Identifier: Apache-2.0

// Events need these names, so they are re-exported: the catalogue, `Event`, times and JSON values.
@_exported public import LaurelWire
