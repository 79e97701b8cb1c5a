/**
 * A deployment that decides by the external id alone, calls back, and forgets nothing; in version 2 it may decide wrongly for some
 * people. It stands for one that costs nothing, so that the worker is what is measured.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { sign } from '@vaani/webhook-verifier'
import { Pool } from 'undici'
import { announce } from '../shadow/announce.ts'
import { decide, SECRET } from './decide.ts'

interface Verification {
  externalId: string
  isV2: boolean
  createdAt: string
}

const verifications = new Map<string, Verification>()
const byKey = new Map<string, string>()
const pools = new Map<string, Pool>()
/** Share of the people whom version 2 decides wrongly. */
let wrongShare = 0

const describe = (id: string, { externalId, isV2, createdAt }: Verification) => {
  const decision = decide(externalId, isV2 ? wrongShare : 0)
  return {
    verification_id: id,
    decision,
    status: decision,
    scores: { liveness: 0.9, face_match: 0.9 },
    reasons: [],
    extracted: { full_name: `PERSON ${externalId}`, date_of_birth: '1990-01-01' },
    created_at: createdAt,
    decided_at: decision === 'review' ? null : createdAt,
  }
}

async function callBack(url: string, id: string, verification: Verification): Promise<void> {
  const data = describe(id, verification)
  if (data.decision === 'review') return
  const type = `verification.${data.decision}`
  const body = JSON.stringify({ event_id: `evt_${id}`, type, created_at: data.created_at, data })
  const headers = await sign(body, {
    secrets: SECRET,
    id: `evt_${id}`,
    timestampSeconds: Math.floor(Date.now() / 1000),
  })
  const { origin, pathname, search } = new URL(url)
  const pool = pools.get(origin) ?? new Pool(origin, { connections: 8 })
  pools.set(origin, pool)
  const path = pathname + search
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  await answer.body.dump()
}

async function submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await buffer(request)).toString('latin1')
  const isV2 = request.url === '/identity/kyc/v2'
  const externalId =
    /"external_id":"([^"]+)"/.exec(text)?.[1] ?? /name="external_id"\r\n\r\n([^\r]+)/.exec(text)?.[1] ?? ''
  const key = String(request.headers['idempotency-key'] ?? Math.random())
  const isNew = !byKey.has(key)
  const id = byKey.get(key) ?? `${isV2 ? 'v2' : 'v1'}_${byKey.size + 1}`
  byKey.set(key, id)
  const verification = { externalId, isV2, createdAt: new Date().toISOString() }
  if (isNew) verifications.set(id, verification)
  const answer = { ...describe(id, verification), decision: 'pending', status: 'pending', decided_at: null }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  const callbackUrl = /"callback_url":"([^"]+)"/.exec(text)?.[1]
  if (callbackUrl !== undefined && isNew) await callBack(callbackUrl, id, verification)
}

function read(request: IncomingMessage, response: ServerResponse): void {
  const [, , , id = ''] = (request.url ?? '').split(/[/?]/)
  const found = verifications.get(id)
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify(
      found ? describe(id, found) : { error: { code: 'verification_not_found', message: 'no' } },
    ),
  )
}

const digest = (): string =>
  createHash('sha256')
    .update(
      [...verifications.values()]
        .map(({ externalId }) => externalId)
        .toSorted()
        .join(),
    )
    .digest('hex')

announce(
  createServer((request, response) => {
    const { method, url = '' } = request
    if (url.startsWith('/rehearsal/')) {
      const [, , what, share] = url.split('/')
      if (what === 'wrong') wrongShare = Number(share)
      response.end(JSON.stringify({ verifications: verifications.size, digest: digest() }))
    } else if (method === 'POST') submit(request, response).catch(() => response.destroy())
    else read(request, response)
  }),
)
