import { readFile } from 'node:fs/promises'
import { Pool } from 'undici'

export interface Load {
  requestsPerSecond: number
  /** User and system time of the server process, by the kernel's accounting. */
  cpuMicrosPerRequest: number
}

const CONNECTIONS = 16
/** `sysconf(_SC_CLK_TCK)` on Linux. */
const TICKS_PER_SECOND = 100

async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Sends requests as fast as the server answers, over a fixed number of connections and for a fixed time. */
export async function measureLoad(options: {
  url: string
  pid: number
  durationMs: number
  request: {
    method: 'GET' | 'POST'
    path: string
    headers: Record<string, string>
    body?: string
    expected: number
  }
}): Promise<Load> {
  const { url, pid, durationMs, request } = options
  const { expected, ...sent } = request
  const pool = new Pool(url, { connections: CONNECTIONS })
  let answered = 0
  const cpuBefore = await cpuSeconds(pid)
  const startedMs = performance.now()
  const ask = async () => {
    while (performance.now() - startedMs < durationMs) {
      const response = await pool.request(sent)
      await response.body.dump()
      if (response.statusCode !== expected)
        throw new Error(`${sent.method} ${sent.path} answered ${response.statusCode}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask))
  const seconds = (performance.now() - startedMs) / 1000
  const cpu = (await cpuSeconds(pid)) - cpuBefore
  await pool.close()
  return { requestsPerSecond: answered / seconds, cpuMicrosPerRequest: (cpu * 1e6) / answered }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
