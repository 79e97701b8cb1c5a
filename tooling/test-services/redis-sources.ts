import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'

import { RedisContainer } from '@testcontainers/redis'

import { hasContainerEngine, runLabel } from './containers.ts'
import { isOnPath } from './needs.ts'
import type { Service, Source } from './start-first.ts'

/** Sources of a Redis for tests, in order of preference. */
export function redisSources(environment: NodeJS.ProcessEnv): Source[] {
  const image = environment['REDIS_IMAGE'] ?? 'redis:8-alpine'
  const givenUrl = environment['TEST_REDIS_URL']
  return [
    {
      name: `container ${image}`,
      async start() {
        if (!(await hasContainerEngine())) return undefined
        const container = await new RedisContainer(image).withLabels(runLabel(environment)).start()
        return { url: container.getConnectionUrl(), stop: async () => void (await container.stop()) }
      },
    },
    {
      name: 'TEST_REDIS_URL',
      start: () => Promise.resolve(givenUrl ? { url: givenUrl, stop: () => Promise.resolve() } : undefined),
    },
    { name: 'redis-server on the PATH', start: startRedisServer },
  ]
}

/** Ends the server when its third descriptor closes, which it does however the tests end. */
const SUPERVISOR = 'redis-server "$@" & server=$!; { cat; kill "$server"; } <&3 >/dev/null & wait "$server"'

/** @returns undefined if the program is not installed */
async function startRedisServer(): Promise<Service | undefined> {
  if (!isOnPath('redis-server')) return undefined
  const port = await findFreePort()
  const inMemory = ['--save', '', '--appendonly', 'no', '--dir', tmpdir()]
  const server = ['--bind', '127.0.0.1', '--port', String(port), ...inMemory]
  const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'sh', ...server], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let output = ''
  const outcome = await new Promise<'ready' | 'ended'>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve('ended'))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('Ready to accept connections')) resolve('ready')
    })
  })
  if (outcome === 'ended') throw new Error(output.trim().split('\n').at(-1))
  const stop = () => {
    child.stdio[3]?.destroy()
    return closed
  }
  return { url: `redis://127.0.0.1:${port}`, stop }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string')
    throw new Error('No free port on the loopback interface')
  return address.port
}
