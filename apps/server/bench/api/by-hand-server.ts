/**
 * The baseline of `pnpm bench api`: placing and reading a call, written by hand on bare Fastify and pg, with the same SQL and
 * equivalent checks, and no general-purpose code.
 */
import { createHash, randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import { parsePhoneNumberWithError } from 'libphonenumber-js/max'
import pg from 'pg'

const E164 = /^\+[1-9]\d{6,14}$/
const AGENT = /^[a-z0-9][a-z0-9_-]{0,63}$/

const connectionString = process.env['DATABASE_URL'] ?? ''
const pool = new pg.Pool({ connectionString, max: 20 })

interface Principal {
  account_id: string
  key_id: string
  scopes: Set<string>
  limit: number
}
const principals = new Map<string, Principal>()
const arrivals = new Map<string, number>()

async function authenticate(header: string | undefined): Promise<Principal | undefined> {
  if (header === undefined || !header.startsWith('Bearer ')) return undefined
  const hash = createHash('sha256').update(header.slice(7)).digest()
  const id = hash.toString('base64')
  const known = principals.get(id)
  if (known) return known
  const { rows } = await pool.query(
    `select key_id, k.account_id, scopes, rate_overrides from api_keys k join accounts using (account_id) where hash = $1 and revoked_at is null`,
    [hash],
  )
  const row = rows[0]
  if (row === undefined) return undefined
  const principal = { ...row, scopes: new Set(row.scopes), limit: row.rate_overrides.place_call?.limit ?? 10 }
  principals.set(id, principal)
  return principal
}

function isWithinRate({ key_id, limit }: Principal): boolean {
  const now = Date.now()
  const next = Math.max(arrivals.get(key_id) ?? now, now) + 1000 / limit
  if (next - now > 1000) return false
  arrivals.set(key_id, next)
  return true
}

function isPhone(text: unknown): text is string {
  if (typeof text !== 'string' || !E164.test(text)) return false
  const number = parsePhoneNumberWithError(text, { extract: false })
  return number.number === text && number.isPossible()
}

const makeId = (prefix: string) => `${prefix}_${Date.now().toString(32)}${randomBytes(10).toString('hex')}`

function toCall(row: Record<string, unknown> & { created_at: Date }) {
  return {
    call_id: row['call_id'],
    status: row['status'],
    to: row['to_number'],
    agent_id: row['agent_id'],
    ...(row['scheduled_at_text'] !== null && { scheduled_at: row['scheduled_at_text'] }),
    language: row['language'],
    ...(row['metadata'] !== null && { metadata: row['metadata'] }),
    carrier: row['carrier'],
    created_at: row.created_at.toISOString(),
  }
}

const app = Fastify({ bodyLimit: 256 * 1024 })
const refuse = (code: string) => ({ error: { code } })

interface PlaceBody {
  to?: unknown
  agent_id?: unknown
  language?: unknown
  metadata?: unknown
}

app.post<{ Body: PlaceBody }>('/agent/calls', async (request, reply) => {
  reply.header('x-request-id', makeId('req'))
  const principal = await authenticate(request.headers.authorization)
  if (principal === undefined) return reply.status(401).send(refuse('unauthorized'))
  if (!principal.scopes.has('calls:write')) return reply.status(403).send(refuse('forbidden'))
  if (!isWithinRate(principal)) return reply.status(429).send(refuse('rate_limit_exceeded'))
  const { to, agent_id, language = 'ne-NP', metadata } = request.body
  if (typeof agent_id !== 'string' || !AGENT.test(agent_id))
    return reply.status(400).send(refuse('invalid_request'))
  if (typeof language !== 'string' || Intl.getCanonicalLocales(language).length !== 1)
    return reply.status(400).send(refuse('invalid_request'))
  if (typeof metadata !== 'object' || metadata === null)
    return reply.status(400).send(refuse('invalid_request'))
  if (!isPhone(to)) return reply.status(422).send(refuse('invalid_phone'))

  const client = await pool.connect()
  try {
    await client.query('begin')
    const now = new Date()
    const call = toCall({
      call_id: makeId('call'),
      status: 'queued',
      to_number: to,
      agent_id,
      scheduled_at_text: null,
      language,
      metadata,
      livemode: false,
      carrier: 'simulator',
      created_at: now,
    })
    const event_id = makeId('evt')
    const event = { event_id, type: 'call.queued', created_at: now, data: call }
    await client.query({
      name: 'place',
      text: `with event as (insert into events (event_id, account_id, livemode, type, object_id, body, created_at) values ($8, $2, false, 'call.queued', $1, $9, $7))
        insert into calls (call_id, account_id, livemode, status, to_number, agent_id, language, metadata, carrier, created_at)
        values ($1, $2, false, 'queued', $3, $4, $5, $6, 'simulator', $7)`,
      values: [
        call.call_id,
        principal.account_id,
        to,
        agent_id,
        language,
        JSON.stringify(metadata),
        now,
        event_id,
        JSON.stringify(event),
      ],
    })
    await client.query('commit')
    return reply.status(201).send(call)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

app.get<{ Params: { call_id: string } }>('/agent/calls/:call_id', async (request, reply) => {
  reply.header('x-request-id', makeId('req'))
  const principal = await authenticate(request.headers.authorization)
  if (principal === undefined) return reply.status(401).send(refuse('unauthorized'))
  if (!principal.scopes.has('calls:read')) return reply.status(403).send(refuse('forbidden'))
  const { rows } = await pool.query({
    name: 'find-call',
    text: 'select * from calls where call_id = $1 and account_id = $2',
    values: [request.params.call_id, principal.account_id],
  })
  return rows[0] === undefined
    ? reply.status(404).send(refuse('call_not_found'))
    : reply.send(toCall(rows[0]))
})

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => void app.close().then(() => pool.end()))
