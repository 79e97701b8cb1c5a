import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { freePort, isTaken } from './free-port.ts'
import type { OnFinished } from './softphone-line.ts'

const HOST = '127.0.0.1'
const POLL_MS = 20
/** Ports of media: two for each side of each call. */
const MEDIA_PORTS = 40

/** Starts rtpengine, a media proxy of other authors, in user space. Returns the port at which it takes orders. */
export async function startRtpengine(onFinished: OnFinished): Promise<number> {
  const port = await freePort()
  const first = await freePort()
  const child = spawn(
    'rtpengine',
    [
      '--foreground',
      '--table=-1',
      '--log-stderr',
      '--log-level=1',
      `--interface=${HOST}`,
      `--listen-ng=${HOST}:${port}`,
      `--port-min=${first}`,
      `--port-max=${first + MEDIA_PORTS}`,
    ],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  onFinished(async () => {
    child.kill()
    await exited
  })
  while (child.exitCode === null && !(await isTaken(port))) await setTimeout(POLL_MS)
  if (child.exitCode !== null) throw new Error(`rtpengine exited with ${child.exitCode}`)
  return port
}
