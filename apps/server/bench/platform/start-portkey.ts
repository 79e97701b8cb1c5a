import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

/** Variable that names a folder with Portkey's open gateway from npm: `npm install @portkey-ai/gateway` (MIT, 25 MB). */
export const PORTKEY_FOLDER = 'VAANI_BENCH_PORTKEY'

/** Starts the gateway in a process of its own; null if the variable is not set. */
export async function startPortkey(): Promise<({ url: string } & AsyncDisposable) | null> {
  const folder = process.env[PORTKEY_FOLDER]
  if (folder === undefined) return null
  const port = await findPort()
  const file = path.join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const child = spawn(process.execPath, [file, `--port=${port}`, '--headless'], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      if (String(text).includes('Ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The gateway exited with ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}

/** It takes no port 0. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Headers that make it pass requests on to a server. */
export const portkeyHeaders = (upstream: string): Record<string, string> => ({
  'x-portkey-provider': 'openai',
  'x-portkey-custom-host': `${upstream}/v1`,
  authorization: 'Bearer none',
})
