import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const KEY = 'sk_test_bench_0123456789abcdef'
const BUNDLE = path.resolve(import.meta.dirname, '../../dist/main.js')
const CLOCK_TICKS_PER_SECOND = 100
const NO_LIMIT = { limit: 100_000, period_seconds: 60 }

/** The deployed server, in a process of its own. */
export interface BenchServer extends AsyncDisposable {
  url: string
  key: string
  /** Seconds of processor that it has used. */
  cpuSeconds(): number
  /** Memory that it occupies now. */
  residentMb(): number
}

export async function startServer(
  environment: Readonly<Record<string, string>> = {},
  program: readonly string[] = [BUNDLE],
): Promise<BenchServer> {
  await using held = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-bench-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, program, {
    env: {
      ...process.env,
      PORT: '0',
      VAANI_DATA_DIR: folder,
      VAANI_BOOTSTRAP_API_KEY: KEY,
      LOG_LEVEL: 'info',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  held.defer(async () => {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (data: Buffer) => {
      output = (output + String(data)).slice(-10_000)
      const address = /"address":"([^"]+)"/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}: ${output}`)))
  })
  await liftLimits(url)
  const resources = held.move()
  return {
    url,
    key: KEY,
    cpuSeconds() {
      // The command may contain spaces; the fields after it do not (proc(5)).
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SECOND
    },
    residentMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function liftLimits(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const accounts = (await (await fetch(`${url}/admin/accounts`, { headers })).json()) as {
    data: { account_id: string }[]
  }
  const answer = await fetch(`${url}/admin/accounts/${accounts.data[0]?.account_id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({
      rate_overrides: {
        speech_stream: NO_LIMIT,
        speech: NO_LIMIT,
        ocr: NO_LIMIT,
        batch: NO_LIMIT,
        synthesis_high_fidelity: NO_LIMIT,
        synthesis_light: NO_LIMIT,
        // Some thousand requests a second.
        chat: { limit: 100_000, period_seconds: 1 },
        concurrent_streams: { limit: 1000 },
      },
    }),
  })
  if (!answer.ok) throw new Error(`The limits could not be lifted: ${answer.status}`)
}
