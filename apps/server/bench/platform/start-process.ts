import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** Starts a file of this folder in a process of its own, which prints its address. */
export async function startProcess(
  file: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ url: string } & AsyncDisposable> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  const { address } = JSON.parse(String(output)) as { address: string }
  return {
    url: address,
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}
