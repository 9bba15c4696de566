// What the interface names comes along with the engine.
@_exported public import LaurelResults
@_exported public import LaurelWire
