import type { DocumentedRoute } from '@vaani/contracts/openapi'
import { type Connection, openConnection, type Silence } from './connection.ts'
import type { FuzzCase } from './fuzz-case.ts'
import { type Answer, NoAnswerError } from './parse-answer.ts'
import type { SentCase } from './predict.ts'
import { piecesOf, toBytes, type WireRequest } from './wire-request.ts'
import type { World } from './world.ts'

/** A response, or how the wait for it ended without one. */
export type Outcome = Answer | Silence | NoAnswerError

/** Longer streams are cut off by closing the connection, as callers do. */
const MAX_STREAM_BYTES = 65_536

let sentCount = 0
/** Gives each request another client address, so that no address exceeds its limits. */
const nextAddress = (): string => {
  sentCount = (sentCount + 1) % 2 ** 24
  return `10.${sentCount >> 16}.${(sentCount >> 8) & 255}.${sentCount & 255}`
}

/** Writes the objects that the case refers to, and builds its request. */
export async function prepare(world: World, route: DocumentedRoute, request: FuzzCase): Promise<SentCase> {
  const path: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.path))
    path[name] =
      value.kind === 'text' ? value.text : await world.objectId(name, value.owner, value.state, value.isFresh)
  const authorization = world.authorization(request.key, route.metadata.scope)
  const { idempotencyKey, contentType } = request
  const fields: [string, string][] = [
    ['host', '127.0.0.1'],
    ...(authorization === null ? [] : [['authorization', authorization] as [string, string]]),
    ...(contentType === null ? [] : [['content-type', contentType] as [string, string]]),
    ...(idempotencyKey === null
      ? []
      : [
          [
            'idempotency-key',
            typeof idempotencyKey === 'number' ? `shared-${idempotencyKey}` : idempotencyKey,
          ] as [string, string],
        ]),
    ['x-forwarded-for', nextAddress()],
    ...request.fields.map(([name, value]): [string, string] => [name, value]),
  ]
  const target =
    route.path.replaceAll(/:([a-z_]+)/g, (_, name: string) => path[name] ?? '') +
    (request.query === '' ? '' : `?${request.query}`)
  const wire: WireRequest = {
    method: request.method,
    target,
    fields,
    body: request.body.bytes,
    framing: request.framing,
    cuts: request.cuts,
    isStreamed: route.metadata.successBody !== 'json',
  }
  const headBytes = toBytes({ ...wire, body: null }).length
  return { route, request, path, wire, headBytes }
}

/** Whether the request asks to close the connection, so nothing may follow it. */
const endsConnection = ({ fields }: WireRequest): boolean =>
  fields.some(([name, value]) => name === 'connection' && value === 'close')

/** A connection that is reopened after it was closed. */
export interface Line extends Disposable {
  /** Pipelines the requests and returns the outcome of each. */
  exchange(requests: readonly WireRequest[]): Promise<Outcome[]>
}

export function createLine(url: string): Line {
  let connection: Connection | undefined

  async function write(bytes: Buffer, cuts: readonly number[]): Promise<boolean> {
    const isReused = connection?.isOpen() === true
    if (!isReused) {
      connection?.[Symbol.dispose]()
      connection = await openConnection(url)
    }
    for (const piece of piecesOf(bytes, cuts)) await connection?.write(piece)
    return isReused
  }

  async function read({ method, isStreamed }: WireRequest): Promise<Outcome> {
    if (connection === undefined) return 'closed'
    const options = { isHead: method === 'HEAD', ...(isStreamed && { maxBodyBytes: MAX_STREAM_BYTES }) }
    try {
      return await connection.next(options)
    } catch (error) {
      if (error instanceof NoAnswerError) return error
      throw error
    }
  }

  async function exchangeOne(request: WireRequest): Promise<Outcome> {
    const bytes = toBytes(request)
    const isReused = await write(bytes, request.cuts)
    const outcome = await read(request)
    if (!isReused || (outcome !== 'closed' && outcome !== 'reset')) return outcome
    // Retry once: a reused connection may have been closed while the request was in flight.
    await write(bytes, request.cuts)
    return read(request)
  }

  return {
    async exchange(requests) {
      const [first] = requests
      if (first === undefined) return []
      const outcomes: Outcome[] = []
      if (requests.length === 1 || requests.some(endsConnection)) {
        for (const request of requests) outcomes.push(await exchangeOne(request))
        return outcomes
      }
      await write(Buffer.concat(requests.map(toBytes)), first.cuts)
      const pipeline = connection
      for (const request of requests) {
        const isRead = outcomes.length === 0 || pipeline?.isOpen() === true
        const outcome = isRead ? await read(request) : 'closed'
        // The server ignores requests behind one that closed the connection, so send them again.
        outcomes.push(outcome === 'closed' || outcome === 'reset' ? await exchangeOne(request) : outcome)
      }
      return outcomes
    },
    [Symbol.dispose]: () => connection?.[Symbol.dispose](),
  }
}
