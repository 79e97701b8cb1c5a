import { execFile, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findRuntime } from '@vaani/test-services/find-runtime'
import { thorough } from '@vaani/test-services/thorough'
import { callRaw } from './raw-caller.ts'
import { FILL, type WireRequest, type WireResult } from './wire-request.ts'

/** An HTTP client that integrators use. */
export interface Caller {
  /** Includes the reason if the caller is skipped. */
  readonly title: string
  readonly isThere: boolean
  /** Whether the client is able to send the request. */
  canSend(request: WireRequest): boolean
  call(requests: readonly WireRequest[], folder: string): Promise<WireResult[]>
}

const run = promisify(execFile)
const LIMIT_MS = 300_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
const CONCURRENCY = 4

async function callByProgram(
  command: string,
  commandArguments: readonly string[],
  requests: readonly WireRequest[],
  folder: string,
): Promise<WireResult[]> {
  const file = path.join(folder, 'requests.json')
  await writeFile(file, JSON.stringify(requests))
  const { stdout } = await run(command, [...commandArguments, file], {
    timeout: LIMIT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  return JSON.parse(stdout) as WireResult[]
}

async function callEach(
  requests: readonly WireRequest[],
  call: (request: WireRequest) => Promise<WireResult>,
): Promise<WireResult[]> {
  const results: WireResult[] = []
  const waiting = requests.values()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const request of waiting)
        results.push(
          await call(request).catch((error: unknown) => ({ name: request.name, failure: String(error) })),
        )
    }),
  )
  return results
}

/** `fetch` sends no body with a GET, and sends a body of known length at once. */
const canFetch = ({ method, isChunked, isSlow }: WireRequest): boolean =>
  method !== 'GET' && (isChunked || !isSlow)

const fetchCaller = (runtime: string, command: string | undefined, ...options: string[]): Caller => ({
  title: `fetch of ${runtime}${command === undefined ? ', not installed' : ''}`,
  isThere: command !== undefined,
  canSend: canFetch,
  call: (requests, folder) =>
    callByProgram(
      command ?? '',
      [...options, path.join(import.meta.dirname, 'fetch-caller.mjs')],
      requests,
      folder,
    ),
})

/** Finds the first command that runs and prints a matching version. */
const findCommand = (commands: readonly string[], version: RegExp): string | undefined =>
  commands.find((command) => version.test(String(spawnSync(command, ['--version']).stdout)))

const undiciCaller = (pipelining: number): Caller => ({
  title: `undici, up to ${pipelining} in flight on one connection`,
  isThere: true,
  canSend: () => true,
  call: (requests, folder) =>
    callByProgram(
      process.execPath,
      [path.join(import.meta.dirname, 'undici-caller.ts'), String(pipelining)],
      requests,
      folder,
    ),
})

const curlCaller = (title: string, more: readonly string[]): Caller => ({
  title: `${title}${hasCurl ? '' : ', not installed'}`,
  isThere: hasCurl,
  canSend: () => true,
  call: (requests, folder) =>
    callEach(requests, async (request) => {
      const { name, url, method, headers, head, fillBytes, tail, isChunked, isSlow, nextUrl } = request
      const [body, answer] = ['body', 'answer'].map((kind) =>
        path.join(folder, `${name.replaceAll(/\W/g, '-')}.${kind}`),
      ) as [string, string]
      await writeFile(body, head + FILL.repeat(fillBytes) + tail)
      const lines = Object.entries({ ...headers, ...(isChunked && { 'transfer-encoding': 'chunked' }) })
      const common = ['--silent', '--max-time', '60', '--write-out', '%{http_code} ', '--output']
      const first = ['--http1.1', '--request', method, '--data-binary', `@${body}`, ...more]
      const pace = isSlow ? ['--limit-rate', '8M'] : []
      const sent = lines.flatMap(([header, value]) => ['--header', `${header}: ${value}`])
      const next = ['--next', ...common, `${answer}.next`, nextUrl]
      const { stdout } = await run('curl', [...common, answer, ...first, ...pace, ...sent, url, ...next])
      const [status, nextStatus] = stdout.split(' ').map(Number)
      return {
        name,
        body: await readFile(answer, 'utf8'),
        ...(status !== undefined && { status }),
        ...(nextStatus !== undefined && { nextStatus }),
      }
    }),
})
const hasCurl = findCommand(['curl'], /^curl /) !== undefined
const python = findCommand(['python3'], /^Python 3/)

/** Other versions and settings of clients that are among `callers`. */
const others: readonly Caller[] = [
  fetchCaller('Node 20', findCommand(['/usr/bin/node', '/usr/local/bin/node'], /^v20\./)),
  fetchCaller('Node 22', findRuntime('node-linux-*/bin/node')),
  undiciCaller(1),
  curlCaller('curl without `Expect: 100-continue`', ['--header', 'expect:']),
]

export const callers: readonly Caller[] = [
  ...thorough({ usual: [], long: others }),
  fetchCaller('Node 24', process.execPath),
  fetchCaller('Bun', findRuntime('@oven/bun-*/bin/bun'), 'run'),
  fetchCaller('Deno', findRuntime('@deno/*/deno'), 'run', '--no-prompt', '--allow-net', '--allow-read'),
  undiciCaller(4),
  curlCaller('curl', []),
  {
    title: `Python’s http.client${python === undefined ? ', not installed' : ''}`,
    isThere: python !== undefined,
    canSend: () => true,
    call: (requests, folder) =>
      callByProgram(
        python ?? '',
        [path.join(import.meta.dirname, 'http_client_caller.py')],
        requests,
        folder,
      ),
  },
  {
    title: 'a raw socket that pipelines',
    isThere: true,
    canSend: () => true,
    call: (requests) => callEach(requests, callRaw),
  },
]
