"""Answer hooks, by which agents report events to `mem`.

`process` answers `mem hook` before the command line is loaded, and `handler` answers for a vault that is open.
`payload` parses what a tool sends, `prompts` finds what a person typed, and `talk` reads the turns before. `prompting`
adds memories to a prompt, and `starting` begins a session. `display_log` keeps a memory from being shown twice,
`answer` builds the JSON that each tool understands, and `trouble` records why a hook gave no answer.
"""
