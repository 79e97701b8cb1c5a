import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as it came. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly response: ServerResponse
  /** Resolves when the connection is gone. */
  readonly closed: Promise<unknown>
}

export type Step = (response: ServerResponse, request: SeenRequest) => unknown

export interface FaultServer extends AsyncDisposable {
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** Resolves with the request of this number, from 1, once it is there. */
  request(number: number): Promise<SeenRequest>
}

/** Answers each request by the next step; the last step answers all that follow. */
export async function startFaultServer(steps: readonly Step[]): Promise<FaultServer> {
  const seen: SeenRequest[] = []
  const waiting = new Map<number, (request: SeenRequest) => void>()
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        const closed = once(response, 'close')
        const { method = '', url = '', headers } = request
        const one = { method, url, headers, body: body.toString(), response, closed }
        seen.push(one)
        waiting.get(seen.length)?.(one)
        return steps[Math.min(seen.length, steps.length) - 1]?.(response, one)
      },
      // The client has gone; its own error is what is looked at.
      () => undefined,
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    request(number) {
      const known = seen[number - 1]
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.set(number, resolve))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_12345678', ...headers })
      .end(JSON.stringify(body))

/** An error as the service writes it; the message holds what must never be shown. */
export const failure = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  json(
    status,
    {
      error: {
        code,
        message: SECRET,
        type: 'api_error',
        param: 'to',
        request_id: 'req_12345678',
        details: [{ param: 'to', message: SECRET }],
      },
    },
    headers,
  )

/** Stands for what a body says of a person. */
export const SECRET = 'Sita-Sharma-9812345678'

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

/** Begins a stream of audio, and leaves the rest to what follows. */
export const audio =
  (then: (response: ServerResponse) => unknown, headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': 'audio/pcm', 'x-stream-descriptor': DESCRIPTOR, ...headers })
    response.flushHeaders()
    return then(response)
  }

export const frames = (count: number): Buffer => Buffer.alloc(count * 640, 1)

export const CALL = {
  call_id: 'call_1',
  status: 'queued',
  to: '+9779812345678',
  agent_id: 'reminder',
  language: 'ne-NP',
  carrier: 'simulator',
  created_at: '2026-01-01T00:00:00Z',
}
