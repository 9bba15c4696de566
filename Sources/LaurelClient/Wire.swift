// SPDX-License-Identifier: Apache-2.0

// Apps need only one import: events use the catalogue's types, times and JSON values.
@_exported public import LaurelWire
