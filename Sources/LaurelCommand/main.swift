// SPDX-License-Identifier: Apache-2.0

let tool = CommandLineTool(commands: .all)
tool.run(Array(CommandLine.arguments.dropFirst())).exit()
