"""The Model Context Protocol server, `mem mcp`: memory as tools that any agent can call.

`start` reads the words of the command, `server` reads frames and writes replies, `protocol` says what a message means
in either era, `tools` is the table of tools, `calls` does what they promise, on the vaults that `homes` finds. Agents
start servers all day, some only to look: all but `calls` loads nothing but `json`, and before a tool is called nothing
of a vault is opened.
"""
