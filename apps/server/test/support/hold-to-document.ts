/**
 * Checks every exchange of a test file with our server against the OpenAPI document: after the tests, Prism is shown the requests
 * and responses, those of one form once, and the file fails on any violation. It also fails if a server's log contains anything that callers sent.
 */
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  type Exchange,
  faultsOf,
  recordExchanges,
  reportTally,
  showExchange,
  type Violation,
} from '@vaani/conformance'
import { afterAll, expect, inject } from 'vitest'
import { findLeaks } from './find-leaks.ts'
import { forgetLines, writtenLines } from './written-lines.ts'

/** Exchanges shown to Prism at a time. */
const CONCURRENCY = 4

forgetLines()
const recording = recordExchanges()

afterAll(async () => {
  const { cutShort } = recording.stop()
  // Every response of our server has this header, and no response of the receivers that tests start.
  const ours = recording.exchanges.filter(({ headers }) => headers.has('x-request-id'))
  if (ours.length === 0) return
  expect(findLeaks(ours, writtenLines()), 'in the log').toEqual([])
  const leftOut = await createLeftOut()
  const replayAddress = inject('replayAddress')
  const tally: Record<string, number> = { 'cut short': cutShort }
  const faults: unknown[] = []
  const shown = new Set<string>()
  async function show(exchange: Exchange): Promise<void> {
    const digest = digestOf(exchange)
    const reason =
      leftOut.find(({ matches }) => matches(exchange))?.what ??
      (shown.has(digest) ? 'of the form of one shown' : 'shown')
    shown.add(digest)
    tally[reason] = (tally[reason] ?? 0) + 1
    if (reason !== 'shown') return
    const { method, path, status } = exchange
    const showOnce = () => showExchange(replayAddress, exchange)
    // Prism resets connections when the machine is busy. What it cannot be shown, it cannot be shown twice.
    const found = await showOnce()
      .catch(showOnce)
      .catch((error: unknown) => {
        throw new Error(`${method} ${path}, ${status}, cannot be shown to Prism`, { cause: error })
      })
    const body = parseJson(exchange.requestBody.toString())
    for (const violation of faultsOf(found, status))
      if (!isAbsent(body, violation)) faults.push({ method, path, status, ...violation })
  }
  const waiting = ours.values()
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const exchange of waiting) await show(exchange)
    }),
  )
  await reportTally(replayAddress, tally)
  expect(faults).toEqual([])
})

/** Lists the exchanges that Prism would misjudge or crash on. */
function createLeftOut(): readonly { what: string; matches(exchange: Exchange): boolean }[] {
  return [
    // First, because the next ones read bodies.
    { what: 'rejected for its size', matches: ({ status }) => status === 413 },
    // Prism answers preflights itself.
    { what: 'a preflight', matches: ({ method }) => method === 'OPTIONS' },
    // Prism crashes on the first of the next two, and never answers the second.
    { what: 'a path that cannot be decoded', matches: ({ path }) => /%(?![0-9a-f]{2})/i.test(path) },
    {
      what: 'a body that is invalid JSON or a falsy value',
      matches: ({ requestHeaders, requestBody }) =>
        /\bjson\b/.test(requestHeaders.get('content-type') ?? '') && !parseJson(requestBody.toString()),
    },
    // They come from deployments, which learn the address from the worker and not from its contract.
    { what: 'a callback to the migration worker', matches: ({ path }) => path.startsWith('/callbacks/') },
    // What the console asks of the contract's routes, others ask without its prefix.
    { what: 'a page for people', matches: ({ path }) => /^\/(console|docs|$)/.test(path) },
    // Prism reads only the last of several parts with one name, and may cut the connection.
    { what: 'a form with a list of files', matches: ({ path }) => path.endsWith('/clone') },
    {
      what: 'a form with a document',
      matches: ({ path, requestHeaders }) =>
        path.endsWith('/ocr/process') && (requestHeaders.get('content-type') ?? '').startsWith('multipart/'),
    },
    {
      what: 'a form with a recording',
      matches: ({ path }) => /\/(?:watermark\/detect|audio\/(?:transcriptions|translations))$/.test(path),
    },
    {
      what: 'a form with a file of requests',
      matches: ({ method, path }) => method === 'POST' && path === '/v1/files',
    },
  ]
}

/** Headers that differ in every response. */
const OF_ONE_RESPONSE = new Set(['date', 'x-request-id'])

/** Ids and keys of ours, UUIDs, times, and what a limit leaves: the document says of each only which form it has. */
const OF_ONE_FORM =
  /(?<=_)[0-7][0-9a-hjkmnp-tv-z]{25}\b|(?<=\bsk_(?:test|live)_)[0-9a-hjkmnp-tv-z]{38}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|(?<=;[rt]=)\d+/g
/** Longer bodies are compared as they are. */
const FORM_BYTES = 100_000

const formOf = (text: string): string =>
  text.replaceAll(OF_ONE_FORM, (found) => {
    if (/^\d+$/.test(found)) return '0'
    // A time that does not exist has no form.
    return found.endsWith('Z') && Number.isNaN(Date.parse(found)) ? found : found.replaceAll(/[\da-z]/g, '0')
  })

/**
 * Names an exchange by its content, except for what is of one form: tests ask the same of many objects, or until the response changes.
 */
function digestOf({ method, path, status, requestHeaders, requestBody, headers, body }: Exchange): string {
  const lasting = [...headers].filter(([name]) => !OF_ONE_RESPONSE.has(name))
  const hash = createHash('sha256')
  hash.update(formOf(JSON.stringify([method, path, status, [...requestHeaders], lasting])))
  for (const bytes of [requestBody, body]) {
    const content = bytes.length < FORM_BYTES && isUtf8(bytes) ? formOf(bytes.toString()) : bytes
    hash.update(`${content.length} `).update(content)
  }
  return hash.digest('base64')
}

/** Whether it is about a member of the request's body that is null, which the document says counts as absent. */
function isAbsent(body: unknown, { location: [side, part, ...path] }: Violation): boolean {
  if (side !== 'request' || part !== 'body') return false
  const parent = path.slice(0, -1).reduce(memberOf, body)
  return !Array.isArray(parent) && memberOf(parent, path.at(-1) ?? '') === null
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
