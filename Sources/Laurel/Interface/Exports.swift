// What is asked of a learner's progress comes along with the engine.
@_exported public import LaurelProgress
