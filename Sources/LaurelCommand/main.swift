let tool = CommandLineTool(commands: .all)
tool.run(Array(CommandLine.arguments.dropFirst())).exit()
