import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Finds a port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port number')
  return address.port
}

/** Reports whether redis-server is installed; throws in CI if it is not. */
export async function hasRedisServer(): Promise<boolean> {
  const child = spawn('redis-server', ['--version'], { stdio: 'ignore' })
  const found = await Promise.race([
    once(child, 'exit').then(() => true),
    once(child, 'error').then(() => false),
  ])
  if (!found && process.env['CI'] === 'true') throw new Error('CI needs redis-server on the PATH')
  return found
}

/** Starts a Redis that belongs to the test, which may kill it. */
export async function startRedis(
  port: number,
): Promise<{ kill(): Promise<void>; signal(signal: NodeJS.Signals): void }> {
  const child: ChildProcess = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', ''],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => String(text).includes('Ready to accept') && resolve())
    child.once('exit', (code) => reject(new Error(`redis-server exited with ${code}`)))
    child.once('error', reject)
  })
  return {
    signal: (signal) => child.kill(signal),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}
