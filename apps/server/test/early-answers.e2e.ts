/**
 * Responses sent while their requests are still arriving: each caller must get the whole response, and a response to its next
 * request, on the same connection or a new one.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ErrorBody } from '@vaani/contracts'
import { thorough } from '@vaani/test-services/thorough'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callers } from './support/early-answers/callers.ts'
import { type EarlyAnswer, earlyAnswers } from './support/early-answers/rows.ts'
import type { WireRequest, WireResult } from './support/early-answers/wire-request.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'

const SENDINGS = [
  { name: 'with content-length', isChunked: false, isSlow: false },
  { name: 'slowly, with content-length', isChunked: false, isSlow: true },
  { name: 'in chunks', isChunked: true, isSlow: false },
  { name: 'slowly, in chunks', isChunked: true, isSlow: true },
] as const

const run = promisify(execFile)
let server: TestServer
let folder: string
let keys: Record<EarlyAnswer['key'], string>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-early-'))
  server = await startTestServer()
  const never = { place_call: { limit: 1, period_seconds: 86_400 } }
  const limited = await server.createAccount({ rateOverrides: never })
  await server.json('/agent/calls', { key: limited.key, body: {} })
  keys = {
    good: (
      await server.createAccount({ rateOverrides: { place_call: { limit: 100_000, period_seconds: 1 } } })
    ).key,
    bad: 'sk_test_0123456789abcdefghij0123456789',
    'without scope': (await server.createAccount({}, ['voices:write'])).key,
    'over its rate': limited.key,
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Sizes rotate like the ways of sending; or all of them, the first twice. */
const sizesOf = ({ fillBytes }: EarlyAnswer, number: number): readonly number[] =>
  thorough({
    usual: fillBytes.filter((_, index) => index === number % fillBytes.length),
    long: [...fillBytes, ...fillBytes.slice(0, 1)],
  })

/** Builds every row in its sizes. The ways of sending rotate, because trying all of them for all sizes would take minutes. */
function wireRequests(): { row: EarlyAnswer; request: WireRequest }[] {
  return earlyAnswers.flatMap((row, number) =>
    sizesOf(row, number).flatMap((fillBytes, index) => {
      const sendings =
        row.fillBytes.length === 1
          ? SENDINGS.slice(index * 2, index * 2 + 2)
          : SENDINGS.slice((number + index) % 4).slice(0, 1)
      return sendings.map(({ name: sending, isChunked, isSlow }) => ({
        row,
        request: {
          name: `${row.name}, ${fillBytes} bytes ${sending}`,
          url: server.url + row.path,
          method: row.method ?? 'POST',
          headers: { authorization: `Bearer ${keys[row.key]}`, ...row.headers },
          head: row.head ?? '',
          fillBytes,
          tail: row.tail ?? '',
          isChunked,
          isSlow,
          nextUrl: `${server.url}/healthz`,
        },
      }))
    }),
  )
}

describe.each(callers)('$title', ({ isThere, canSend, call }) => {
  test.skipIf(!isThere)('gets every early response, and the next one', { timeout: 600_000 }, async () => {
    const all = wireRequests().filter(({ request }) => canSend(request))
    const results = new Map<string, WireResult>(
      (
        await call(
          all.map(({ request }) => request),
          folder,
        )
      ).map((result) => [result.name, result]),
    )
    const faults = all.flatMap(({ row, request }) => {
      const { body = '', ...result } = results.get(request.name) ?? {
        name: request.name,
        failure: 'Not sent',
      }
      const code = row.code === null ? null : (parse(body)?.error.code ?? 'no complete error body')
      const found = { ...result, code }
      const wanted = { name: request.name, status: row.status, nextStatus: 200, code: row.code }
      return isDeepEqual(found, wanted) ? [] : [found]
    })
    expect(faults).toEqual([])
  })
})

test('our client gets the error of a rejected upload, and can send further requests', async () => {
  const { stdout } = await run(process.execPath, [
    '--conditions=vaani-source',
    path.join(import.meta.dirname, 'support/early-answers/client-caller.ts'),
    server.url,
    keys.good,
    keys.bad,
  ])
  const refusals = [
    { name: 'a bad key', refused: '401 unauthorized', next: 'ok' },
    { name: 'a large image', refused: '413 payload_too_large', next: 'ok' },
  ]
  // Both versions, streamed and not.
  expect(JSON.parse(stdout)).toEqual([refusals, refusals, refusals, refusals].flat())
})

const isDeepEqual = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted())

function parse(text: string): ErrorBody | undefined {
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    return undefined
  }
}
