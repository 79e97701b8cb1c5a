import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../../../..')

export interface Server {
  child: ChildProcess
  url: string
}
/** Starts a server in its own process, and reads its address from the output. */
export async function startServer(args: string[], environment: Record<string, string> = {}): Promise<Server> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const data of child.stdout ?? []) {
    output += String(data)
    const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
    if (url !== undefined) return { child, url }
  }
  throw new Error(`The server exited: ${output}`)
}

export async function stopServer({ child }: Server): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
