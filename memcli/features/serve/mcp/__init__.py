"""Serve memory to agents over the Model Context Protocol (`mem mcp`), as tools that any agent can call.

`start` reads the words of the command, `server` reads frames and writes replies, `protocol` interprets messages in both
eras of the protocol, `tools` lists the tools, `calls` runs them, and `homes` finds the vaults. Agents often start
servers, some only to list the tools, so every module except `calls` loads little more than `json`. No vault is opened
before a tool is called.
"""
