import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sign } from '@vaani/webhook-verifier'
import { request } from 'undici'

export type Decision = 'pending' | 'approved' | 'review' | 'declined'

type Misbehaviour = number | 'garbage' | 'hang' | 'reset'

export interface Script {
  /** Status of the answer to a submission, or how it misbehaves. */
  submit?: Misbehaviour | ((attempt: number) => Misbehaviour)
  errorCode?: string
  /** A submission without pictures is refused, as the contract says. */
  needsMedia?: boolean
  /** Why no callback URL is accepted. */
  refusesCallbacks?: string
  /** No key is valid. */
  refusesKeys?: boolean
  decision?: Decision
  reasonCodes?: readonly string[]
  extracted?: Readonly<Record<string, string>>
  /** Ids are not found when they are read. */
  forgets?: boolean
  /** How callbacks come: once by default. */
  callback?: 'once' | 'twice' | 'forged' | 'never' | 'before_answer'
}

export interface SeenSubmission {
  readonly path: string
  readonly idempotencyKey: string
  readonly authorization: string
  readonly body: Buffer
  readonly verificationId: string | null
  readonly attempt: number
}

/** A deployment that does what a test says, over HTTP. */
export interface ScriptedDeployment extends AsyncDisposable {
  readonly url: string
  readonly secret: string
  readonly submissions: SeenSubmission[]
  readonly reads: string[]
  /** Paths of what was erased. */
  readonly erased: string[]
  /** Verifications whose callbacks were answered. */
  readonly calledBack: string[]
  /** Applies to submissions from now on. */
  script: Script
  /** Sends a callback of a verification that was accepted. */
  callBack(verificationId: string): Promise<number>
}

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** That of some other account. */
const OTHER_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

interface Accepted {
  readonly script: Script
  readonly callbackUrl: string | null
  readonly createdAt: string
}

export async function startScriptedDeployment(
  name: string,
  clock: { nowMs(): number },
): Promise<ScriptedDeployment> {
  const submissions: SeenSubmission[] = []
  const reads: string[] = []
  const erased: string[] = []
  const calledBack: string[] = []
  const accepted = new Map<string, Accepted>()
  const byKey = new Map<string, string>()
  const attempts = new Map<string, number>()
  const deployment = { script: {} as Script }

  const describe = (id: string, { script, createdAt }: Accepted, withExtracted: boolean) => {
    const decision = script.decision ?? 'approved'
    return {
      verification_id: id,
      decision,
      status: decision,
      scores: { liveness: 1, face_match: 1 },
      reasons: (script.reasonCodes ?? []).map((code) => ({
        code,
        check: 'document_quality',
        outcome: 'failed',
        message: 'no',
        next_step: 'none',
        retryable: false,
      })),
      ...(withExtracted && { extracted: script.extracted ?? { full_name: 'Erika Mustermann' } }),
      created_at: createdAt,
      decided_at: decision === 'approved' || decision === 'declined' ? createdAt : null,
    }
  }

  async function callBack(id: string, secret = SECRET): Promise<number> {
    const found = accepted.get(id)
    if (!found?.callbackUrl) throw new Error('No callback was asked for')
    const type = `verification.${found.script.decision ?? 'approved'}`
    const event = {
      event_id: `evt_${id}`,
      type,
      created_at: found.createdAt,
      data: describe(id, found, false),
    }
    const body = JSON.stringify(event)
    const headers = await sign(body, {
      secrets: secret,
      id: event.event_id,
      timestampSeconds: Math.floor(clock.nowMs() / 1000),
    })
    const { statusCode, body: answer } = await request(found.callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    await answer.dump()
    calledBack.push(id)
    return statusCode
  }

  async function callBackAsScripted(id: string): Promise<void> {
    const found = accepted.get(id)
    const { callback = 'once', decision = 'approved' } = found?.script ?? {}
    if (!found?.callbackUrl || callback === 'never' || (decision !== 'approved' && decision !== 'declined'))
      return
    await callBack(id, callback === 'forged' ? OTHER_SECRET : SECRET)
    if (callback === 'twice') await callBack(id)
  }

  async function submit(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const { script } = deployment
    const key = String(incoming.headers['idempotency-key'])
    const attempt = (attempts.get(key) ?? 0) + 1
    attempts.set(key, attempt)
    const refusal = refusalOf(script, body)
    const asked = typeof script.submit === 'function' ? script.submit(attempt) : (script.submit ?? 200)
    const status = refusal === null ? asked : 400
    const replayed = byKey.get(key)
    const id = status === 200 ? (replayed ?? `${name}-${submissions.length + 1}`) : null
    submissions.push({
      path: incoming.url ?? '',
      idempotencyKey: key,
      authorization: String(incoming.headers.authorization),
      body,
      verificationId: id,
      attempt,
    })
    if (status === 'hang') return
    if (status === 'reset') return void incoming.socket.resetAndDestroy()
    if (status === 'garbage') return void response.writeHead(200).end('<html>')
    if (id === null)
      return void response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(
        JSON.stringify({
          error: { code: script.errorCode ?? 'invalid_request', message: 'no', ...refusal },
        }),
      )
    byKey.set(key, id)
    const one = {
      script,
      callbackUrl: readCallbackUrl(body),
      createdAt: new Date(clock.nowMs()).toISOString(),
    }
    if (!accepted.has(id)) accepted.set(id, one)
    if (script.callback === 'before_answer') await callBackAsScripted(id)
    response
      .writeHead(200, {
        'content-type': 'application/json',
        ...(replayed && { 'idempotent-replayed': 'true' }),
      })
      .end(
        JSON.stringify({
          ...describe(id, one, false),
          decision: 'pending',
          status: 'pending',
          decided_at: null,
        }),
      )
    if (script.callback !== 'before_answer') await callBackAsScripted(id)
  }

  function read(incoming: IncomingMessage, response: ServerResponse): void {
    const url = new URL(incoming.url ?? '', 'http://localhost')
    const id = decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
    reads.push(id)
    const found = accepted.get(id)
    const isKnown = found !== undefined && found.script.forgets !== true
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? describe(id, found, url.search !== '') : { error: { code: 'x' } }))
  }

  const server = createServer((incoming, response) => {
    if (deployment.script.refusesKeys === true)
      return void response.writeHead(401).end(JSON.stringify({ error: { code: 'unauthorized' } }))
    if (incoming.method === 'DELETE') {
      erased.push(decodeURIComponent(incoming.url ?? ''))
      return void response.writeHead(204).end()
    }
    const done = incoming.method === 'POST' ? submit(incoming, response) : read(incoming, response)
    void Promise.resolve(done).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(deployment, {
    url: `http://127.0.0.1:${port}`,
    secret: SECRET,
    submissions,
    reads,
    erased,
    calledBack,
    callBack: (id: string) => callBack(id),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  })
}

function refusalOf(script: Script, body: Buffer): { param: string; message: string } | null {
  const { refusesCallbacks: reason, needsMedia = false } = script
  if (reason !== undefined && readCallbackUrl(body) !== null)
    return { param: 'callback_url', message: `callback_url: ${reason}` }
  if (!needsMedia || body.includes('front_image_b64')) return null
  return { param: 'front_image_b64', message: 'front_image_b64: is missing' }
}

function readCallbackUrl(body: Buffer): string | null {
  const text = body.toString('latin1')
  return (
    /"callback_url":"([^"]+)"/.exec(text)?.[1] ??
    /name="callback_url"\r\n\r\n([^\r]+)/.exec(text)?.[1] ??
    null
  )
}
