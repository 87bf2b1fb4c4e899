"""Keep a section of files outside the vault in line with what holds: CLAUDE.md, AGENTS.md and the like."""
