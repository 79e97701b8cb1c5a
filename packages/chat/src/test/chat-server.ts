/** A real HTTP server that speaks `POST /v1/chat/completions`, and misbehaves on demand. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingMessage['headers']
  url: string | undefined
  body: { model: string; stream?: boolean } & Record<string, unknown>
}
/** Answers one request. */
export type Behaviour = (response: ServerResponse, request: Received) => unknown

export interface ChatServer extends AsyncDisposable {
  baseUrl: string
  requests: Received[]
  /** Behaviours of the next requests, in order; later ones are answered properly. */
  next: Behaviour[]
  /** Connections that were opened. */
  connections: () => number
  /** Resolves when the connection of a request closes before its response is complete. */
  cut: Promise<unknown>
}

export const chunkOf = (content: string, more: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_795_150_800,
  model: 'their-model-2026',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...more,
})
export const LAST = chunkOf('', { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
export const USAGE = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9, their_details: { cached: 1 } }
export const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_795_150_800,
  model: 'their-model-2026',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'नमस्ते', their_field: [1] },
      finish_reason: 'stop',
      logprobs: null,
    },
  ],
  usage: USAGE,
  their_fingerprint: 'x',
}
export const eventOf = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`

export const proper: Behaviour = (response, { body }) => {
  if (body.stream !== true)
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of [chunkOf('नम'), chunkOf('स्ते', { their_field: 1 }), LAST]) response.write(eventOf(event))
  if (body['stream_options'] !== undefined)
    response.write(eventOf(chunkOf('', { choices: [], usage: USAGE })))
  return response.end(eventOf('[DONE]'))
}

/** Answers with a status and a body that quotes the key and the request, as some servers do. */
export const refuse =
  (status: number, headers: Record<string, string> = {}, error: object = {}): Behaviour =>
  (response, { headers: { authorization }, body }) =>
    response
      .writeHead(status, headers)
      .end(JSON.stringify({ error: { message: `${authorization} ${JSON.stringify(body)}`, ...error } }))

/** Reads JSON, or a form as an object with the texts of its files. */
async function readBody(bytes: Buffer<ArrayBuffer>, type = ''): Promise<Received['body']> {
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString() || '{}')
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const fields: [string, unknown][] = []
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).map((value) => (value instanceof File ? readFile(value) : value))
    fields.push([name, values.length === 1 ? await values[0] : await Promise.all(values)])
  }
  return { model: '', ...Object.fromEntries(fields) }
}

const readFile = async (file: File) => ({ name: file.name, text: await file.text() })

export async function startChatServer(): Promise<ChatServer> {
  const requests: Received[] = []
  const next: Behaviour[] = []
  const cut = Promise.withResolvers<unknown>()
  let connections = 0
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = await request.toArray()
    const { headers, url } = request
    const received = { headers, url, body: await readBody(Buffer.concat(parts), headers['content-type']) }
    requests.push(received)
    response.on('close', () => {
      if (!response.writableFinished) cut.resolve(undefined)
    })
    await (next.shift() ?? proper)(response, received)
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    next,
    connections: () => connections,
    cut: cut.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
