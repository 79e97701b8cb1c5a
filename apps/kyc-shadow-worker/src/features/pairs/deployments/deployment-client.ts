import { Readable } from 'node:stream'
import { skipByteOrderMark } from '@vaani/service-kit/byte-order-mark'
import { Agent, type Dispatcher, request } from 'undici'
import { FormError } from '../../../convert/to-v2.ts'
import { judgeStatus } from '../rules/judge-status.ts'
import type { ReadResult, SendResult } from '../rules/apply.ts'
import type { ReadValues } from '../rules/conclude.ts'
import { probe, type Probe, type ProbeResult } from './probe.ts'
import { readErrorCode, readVerification, toReported, toValues } from './read-reported.ts'

export interface Submission {
  readonly path: string
  readonly contentType: string
  readonly apiKey: string
  readonly idempotencyKey: string
  readonly body: AsyncIterable<string | Uint8Array>
}

/** Requests to one deployment. Every one ends within its time limit, and none fails but by its result. */
export interface DeploymentClient extends AsyncDisposable {
  /** Asks for what leaves nothing behind. */
  probe(asked: Probe): Promise<ProbeResult>
  /** @throws FormError if the body cannot be made; the error of its source if that cannot be read */
  submit(submission: Submission, signal: AbortSignal): Promise<SendResult>
  read(
    verification: { verificationId: string; apiKey: string; withExtracted: boolean },
    signal: AbortSignal,
  ): Promise<{ read: ReadResult; values: ReadValues | null }>
}

const CONNECT_TIMEOUT_MS = 5000
const READ_TIMEOUT_MS = 15_000
/** More than a verification with everything in it. */
const MOST_ANSWER_BYTES = 1_048_576
const MOST_RETRY_AFTER_SECONDS = 3600

interface Answer {
  readonly status: number
  /** Undefined if it is no JSON. */
  readonly body: unknown
  readonly retryAfterMs: number | null
  readonly isReplay: boolean
}

export function createDeploymentClient(options: {
  url: URL
  maxConnections: number
  sendTimeoutMs: number
}): DeploymentClient {
  const { url, maxConnections, sendTimeoutMs } = options
  const dispatcher = new Agent({
    connections: maxConnections,
    // Other requests would wait behind a submission.
    pipelining: 1,
    connectTimeout: CONNECT_TIMEOUT_MS,
    headersTimeout: sendTimeoutMs,
    bodyTimeout: READ_TIMEOUT_MS,
  })

  async function exchange(
    path: string,
    given: Omit<Dispatcher.RequestOptions, 'path' | 'origin'>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { statusCode, headers, body } = await request(new URL(path, url), { ...given, dispatcher, signal })
    return {
      status: statusCode,
      body: await readJson(body),
      retryAfterMs: readRetryAfter(headers['retry-after']),
      isReplay: headers['idempotent-replayed'] === 'true',
    }
  }

  return {
    probe: (asked) => probe(exchange, asked),
    async submit({ path, contentType, apiKey, idempotencyKey, body }, signal) {
      const sending = followBody(body)
      try {
        const answer = await exchange(
          path,
          {
            method: 'POST',
            headers: {
              authorization: `Bearer ${apiKey}`,
              'content-type': contentType,
              'idempotency-key': idempotencyKey,
            },
            body: sending.stream,
          },
          AbortSignal.any([signal, AbortSignal.timeout(sendTimeoutMs)]),
        )
        return judgeAnswer(answer, answer.isReplay ? null : sending.msSinceEnd())
      } catch (error) {
        // The submission itself could not be read, which is not the deployment's fault.
        const failure = sending.failure()
        if (failure !== null) throw failure
        if (error instanceof FormError) throw error
        return { result: 'again', isFault: !signal.aborted, status: null, retryAfterMs: null }
      } finally {
        sending.stream.destroy()
      }
    },
    async read({ verificationId, apiKey, withExtracted }, signal) {
      const query = withExtracted ? '?include_media=extracted' : ''
      const path = `/identity/verifications/${encodeURIComponent(verificationId)}${query}`
      try {
        const answer = await exchange(
          path,
          { method: 'GET', headers: { authorization: `Bearer ${apiKey}` } },
          AbortSignal.any([signal, AbortSignal.timeout(READ_TIMEOUT_MS)]),
        )
        return judgeRead(answer)
      } catch {
        return { read: { result: 'failed', retryAfterMs: null }, values: null }
      }
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  }
}

function judgeAnswer({ status, body, retryAfterMs }: Answer, answerMs: number | null): SendResult {
  switch (judgeStatus(status)) {
    case 'accepted': {
      const verification = readVerification(body)
      if (verification === null) return { result: 'failed', answerMs }
      return { result: 'accepted', reported: toReported(verification), answerMs }
    }
    case 'refused':
      return { result: 'refused', errorCode: readErrorCode(body), answerMs: answerMs ?? 0 }
    case 'limited':
    case 'not_allowed':
      return { result: 'again', isFault: false, status, retryAfterMs: retryAfterMs ?? LIMITED_RETRY_MS }
    case 'unavailable':
      return { result: 'again', isFault: true, status, retryAfterMs }
    case 'failed':
      return { result: 'failed', answerMs }
  }
}

const LIMITED_RETRY_MS = 10_000

function judgeRead({ status, body, retryAfterMs }: Answer): { read: ReadResult; values: ReadValues | null } {
  if (status === 404) return { read: { result: 'missing' }, values: null }
  if (status === 401 || status === 403 || status === 429)
    return { read: { result: 'forbidden' }, values: null }
  const verification = status === 200 ? readVerification(body) : null
  if (verification === null) return { read: { result: 'failed', retryAfterMs }, values: null }
  return { read: { result: 'found', reported: toReported(verification) }, values: toValues(verification) }
}

/** Makes the stream of a request's body, and knows when its last byte was taken and what broke it. */
function followBody(body: AsyncIterable<string | Uint8Array>) {
  let endedAtMs: number | null = null
  let failure: Error | null = null
  async function* follow() {
    try {
      yield* body
      endedAtMs = performance.now()
    } catch (error) {
      failure = error instanceof Error ? error : new Error('The body cannot be read')
      throw failure
    }
  }
  const stream = Readable.from(follow(), { objectMode: false })
  stream.on('error', () => undefined)
  return {
    stream,
    failure: () => failure,
    msSinceEnd: () => (endedAtMs === null ? 0 : performance.now() - endedAtMs),
  }
}

async function readJson(body: Dispatcher.ResponseData['body']): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Leaving the loop destroys the body, and with it the connection.
    if (bytes > MOST_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(skipByteOrderMark(Buffer.concat(chunks).toString()))
  } catch {
    return undefined
  }
}

function readRetryAfter(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), MOST_RETRY_AFTER_SECONDS) * 1000 : null
}
