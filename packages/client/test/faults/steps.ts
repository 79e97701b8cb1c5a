import type { ServerResponse } from 'node:http'

/** Responds to one request. This file imports no values from Node, because every runtime loads the table. */
export type Step = (response: ServerResponse) => unknown

/** Stands for personal data in a body. */
export const SECRET = 'Sita-Sharma-9812345678'

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_12345678', ...headers })
      .end(JSON.stringify(body))

/** Message of an error; the service never quotes a value in it. */
export const SENTENCE = 'to: must be a phone number in E.164 with a country code'

/** Responds with an error in the service's format. */
export const failure = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  json(
    status,
    {
      error: {
        code,
        message: SENTENCE,
        type: 'api_error',
        param: 'to',
        request_id: 'req_12345678',
        details: [{ param: 'to', message: SENTENCE }],
      },
    },
    headers,
  )

/** Starts a response whose body never ends. */
export const endless =
  (status: number): Step =>
  (response) => {
    const piece = new Uint8Array(2 ** 18).fill(0x20)
    const writeMore = (): void => {
      while (response.writable && response.write(piece));
    }
    response.writeHead(status, { 'content-type': 'application/json' }).on('drain', writeMore)
    writeMore()
  }

export const reset: Step = (response) => response.socket?.resetAndDestroy()
export const hang: Step = () => undefined

export const page =
  (status: number, headers: Record<string, string> = {}): Step =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(`<h1>${SECRET}</h1>`)

const DESCRIPTOR = JSON.stringify({
  note: 'test',
  first_byte_ms: 1,
  format: 'pcm16',
  sample_rate_hz: 16_000,
  request_id: 'req_12345678',
  model: 'stream-tts',
  voice: 'nova',
})

/** Starts an audio stream and leaves the rest to `then`. */
export const audio =
  (then: (response: ServerResponse) => unknown, headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'audio/pcm', 'x-stream-descriptor': DESCRIPTOR, ...headers })
    response.flushHeaders()
    return then(response)
  }

export const frames = (count: number): Uint8Array<ArrayBuffer> => new Uint8Array(count * 640).fill(1)

export const CALL = {
  call_id: 'call_1',
  status: 'queued',
  to: '+9779812345678',
  agent_id: 'reminder',
  language: 'ne-NP',
  livemode: false,
  carrier: 'simulator',
  created_at: '2026-01-01T00:00:00Z',
}

export const VERIFICATION = {
  verification_id: 'ver_1',
  decision: 'pending',
  status: 'pending',
  scores: {},
  reasons: [],
  model_used: null,
  external_id: null,
  livemode: false,
  created_at: '2026-01-01T00:00:00Z',
  decided_at: null,
}
