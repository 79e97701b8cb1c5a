/** A real HTTP server that speaks `POST /v1/audio/speech` as a tone, and misbehaves on demand. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pcm16Bytes } from '@vaani/pcm-audio'

export interface SpeechRequest {
  headers: IncomingMessage['headers']
  body: { input: string; voice: string; speed: number; response_format: string; model: string } & Record<
    string,
    unknown
  >
}
/** Answers one request; `pcm` is the audio that a proper answer would have. */
export type Behaviour = (response: ServerResponse, pcm: Uint8Array, request: SpeechRequest) => unknown

export interface SpeechServer extends AsyncDisposable {
  baseUrl: string
  requests: SpeechRequest[]
  /** Behaviours of the next requests, in order; later ones are answered properly. */
  next: Behaviour[]
  /** Resolves when the connection of the next request closes. */
  closed: Promise<unknown>
}

export const SERVER_RATE_HZ = 24_000
const SAMPLES_PER_CHARACTER = 1440
/** Odd, so that chunks split samples. */
const CHUNK_BYTES = 4801

export const proper: Behaviour = (response, pcm) => {
  response.writeHead(200, { 'content-type': 'audio/pcm' })
  for (let start = 0; start < pcm.length; start += CHUNK_BYTES)
    response.write(pcm.subarray(start, start + CHUNK_BYTES))
  response.end()
}

/** Answers with a status and a body that quotes the key and the text, as some servers do. */
export const refuse =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response, _pcm, { headers: { authorization }, body }) =>
    response
      .writeHead(status, headers)
      .end(JSON.stringify({ error: { message: `${authorization} ${body.input}` } }))

export async function startSpeechServer(): Promise<SpeechServer> {
  const requests: SpeechRequest[] = []
  const next: Behaviour[] = []
  const closed = Promise.withResolvers<unknown>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = await request.toArray()
    const asked = { headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) }
    requests.push(asked)
    response.on('close', () => closed.resolve(undefined))
    await (next.shift() ?? proper)(response, speak(asked.body), asked)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    next,
    closed: closed.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A tone whose pitch follows from the voice and the text, and whose length from the text and the speed. */
function speak({ input, voice, speed }: SpeechRequest['body']): Uint8Array {
  const hash = createHash('sha256').update(`${voice} ${input}`).digest()
  const hz = 100 + hash.readUInt16LE(0) / 200
  const length = Math.round(([...input].length * SAMPLES_PER_CHARACTER) / speed)
  const step = (2 * Math.PI * hz) / SERVER_RATE_HZ
  return pcm16Bytes(Int16Array.from({ length }, (_, index) => Math.round(12_000 * Math.sin(step * index))))
}
