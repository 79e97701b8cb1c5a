/**
 * Holds every exchange of a test file with our server to the OpenAPI document: once its tests are over, Prism is shown
 * what they sent and were answered, and the file fails for each violation. It fails as well for whatever callers sent that is
 * in a log of its servers.
 */
import { type Exchange, faultsOf, recordExchanges, reportTally, showExchange } from '@vaani/conformance'
import { afterAll, expect, inject } from 'vitest'
import { findLeaks } from './find-leaks.ts'
import { writtenLines } from './written-lines.ts'

/** Shown at a time. */
const CONCURRENCY = 4

const recording = recordExchanges()

afterAll(async () => {
  const { cutShort } = recording.stop()
  // Every answer of our server has one, and none of the receivers that tests start.
  const ours = recording.exchanges.filter(({ headers }) => headers.has('x-request-id'))
  if (ours.length === 0) return
  expect(findLeaks(ours, writtenLines()), 'in the log').toEqual([])
  const leftOut = await createLeftOut()
  const replayAddress = inject('replayAddress')
  const tally: Record<string, number> = { 'cut short': cutShort }
  const faults: unknown[] = []
  async function show(exchange: Exchange): Promise<void> {
    const reason = leftOut.find(({ matches }) => matches(exchange))?.what ?? 'shown'
    tally[reason] = (tally[reason] ?? 0) + 1
    if (reason !== 'shown') return
    const { method, path, status } = exchange
    const found = await showExchange(replayAddress, exchange).catch((error: unknown) => {
      throw new Error(`${method} ${path}, ${status}, cannot be shown to Prism`, { cause: error })
    })
    for (const violation of faultsOf(found, status)) faults.push({ method, path, status, ...violation })
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

/** What Prism would say the wrong thing of, or not survive. Made here, as few files need its imports. */
async function createLeftOut(): Promise<readonly { what: string; matches(exchange: Exchange): boolean }[]> {
  const { operationOf, routeOf, unservedRoutes } = await import('./served-routes.ts')
  const unserved = new Set(unservedRoutes.map(operationOf))
  return [
    {
      what: 'of a route that is not served yet',
      matches({ method, path, status }) {
        const route = routeOf(method, path.replace(/\?.*/, ''))
        return route !== undefined && status === 404 && unserved.has(operationOf(route))
      },
    },
    // Prism answers for the server.
    { what: 'a preflight', matches: ({ method }) => method === 'OPTIONS' },
    // Prism ends with the first, and never answers the second.
    { what: 'a path that cannot be decoded', matches: ({ path }) => /%(?![0-9a-f]{2})/i.test(path) },
    {
      what: 'a body that is no JSON, or a falsy value',
      matches: ({ requestHeaders, requestBody }) =>
        /\bjson\b/.test(requestHeaders.get('content-type') ?? '') && !parseJson(requestBody.toString()),
    },
    { what: 'a page for people', matches: ({ path }) => /^\/(docs|$)/.test(path) },
    { what: 'refused for its size', matches: ({ status }) => status === 413 },
  ]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
