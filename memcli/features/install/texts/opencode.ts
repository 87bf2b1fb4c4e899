// Memory for OpenCode, by mem: what was asked brings the few lines of memory that matter. Written by `mem install opencode`.
import { spawn } from "node:child_process"
import type { Plugin } from "@opencode-ai/plugin"

const MEM = ["mem"]
const PATIENCE = 5000 // milliseconds

export const Mem: Plugin = async ({ directory }) => {
  const added = new Map<string, string>() // session → what its next prompt gets
  const started = new Set<string>()

  // What `mem hook` has to add; nothing when it has nothing, is slow or is not there.
  const hook = (event: string, session: string, payload: object = {}) =>
    new Promise<string>((resolve) => {
      const child = spawn(MEM[0], [...MEM.slice(1), "hook", event, "--for", "opencode"], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        timeout: PATIENCE,
        windowsHide: true,
      })
      let out = ""
      child.stdout.on("data", (piece) => (out += piece))
      child.on("error", () => resolve(""))
      child.on("close", () => {
        try {
          const said = JSON.parse(out || "{}")
          resolve(said.hookSpecificOutput?.additionalContext ?? said.additionalContext ?? said.additional_context ?? "")
        } catch {
          resolve("")
        }
      })
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ session_id: session, cwd: directory, ...payload }))
    })

  return {
    "chat.message": async ({ sessionID }, { parts }) => {
      const prompt = parts
        .flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
        .join("\n")
      const first = !started.has(sessionID)
      started.add(sessionID)
      const pieces = [first ? await hook("start", sessionID) : "", prompt ? await hook("prompt", sessionID, { prompt }) : ""]
      added.set(sessionID, pieces.filter(Boolean).join("\n"))
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const context = sessionID && added.get(sessionID)
      if (context) system.push(context)
    },
    "experimental.session.compacting": async ({ sessionID }, { context }) => {
      const kept = await hook("compact", sessionID)
      if (kept) context.push(kept)
    },
    event: async ({ event }) => {
      if (event.type === "session.idle") await hook("stop", event.properties.sessionID)
      if (event.type === "session.deleted") {
        const session = event.properties.info.id
        added.delete(session)
        started.delete(session)
        await hook("end", session)
      }
    },
  }
}
