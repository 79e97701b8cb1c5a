import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Trunk } from '../../src/agent/user-agent.ts'
import { freePort, isTaken } from './free-port.ts'
import { type SippStep, sippScenario } from './sipp-scenario.ts'
import { makeFolder, type OnFinished } from './softphone-line.ts'

const HOST = '127.0.0.1'
const POLL_MS = 20

/** sipp, which takes one call by a script. */
export interface Sipp {
  readonly trunk: Trunk
  /** Resolves when the script is over: with 0 if every message came that it expects. */
  readonly exitCode: Promise<number | null>
  readonly port: number
  /** Ends it once its calls are over. */
  stop(): Promise<void>
}

export interface SippOptions {
  /** How many calls it takes before it ends. Default 1. */
  readonly calls?: number
  /** Port at which the other side reaches it, through a relay. Default its own. */
  readonly contactPort?: number
}

/** Starts sipp as the called side. It echoes RTP. */
export async function startSipp(
  onFinished: OnFinished,
  steps: readonly SippStep[],
  { calls = 1, contactPort }: SippOptions = {},
): Promise<Sipp> {
  const folder = await makeFolder(onFinished)
  const script = join(folder, 'scenario.xml')
  await writeFile(script, sippScenario(steps))
  const [port, mediaPort] = [await freePort(), await freePort()]
  const network = ['-i', HOST, '-p', String(port), '-mi', HOST, '-mp', String(mediaPort), '-rtp_echo']
  const limits = ['-m', String(calls), '-l', String(calls), '-recv_timeout', '70000']
  const keys = ['-key', 'contact_port', String(contactPort ?? port)]
  const child = spawn('sipp', ['-sf', script, ...network, ...limits, ...keys, '-nostdin'], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, TERM: 'dumb' },
  })
  const exitCode = once(child, 'exit').then(() => child.exitCode)
  onFinished(async () => void child.kill('SIGKILL'))
  // It says nothing when it is ready.
  while (child.exitCode === null && !(await isTaken(port))) await setTimeout(POLL_MS)
  // Its script takes an OPTIONS for the call.
  return {
    trunk: { host: HOST, port, transport: 'udp', keepAlive: false },
    port,
    exitCode,
    async stop() {
      child.kill('SIGUSR1')
      await exitCode
    },
  }
}
