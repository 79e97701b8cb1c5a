/** A real server of chat models in the OpenAI wire format, which repeats the last words and does what they ask for. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { StoredUpstream } from './stored-upstream.ts'

export interface UpstreamRequest {
  method: string | undefined
  url: string | undefined
  headers: NodeJS.Dict<string | string[]>
  body: Record<string, unknown> & {
    model: string
    stream?: boolean
    messages: { role: string; content?: unknown }[]
    tools?: { function: { name: string } }[]
    stream_options?: { include_usage?: boolean }
  }
}
export type Behaviour = (response: ServerResponse, request: UpstreamRequest) => unknown

export interface ChatUpstream extends AsyncDisposable {
  baseUrl: string
  requests: UpstreamRequest[]
  /** Behaviours of the next requests, in order; later ones are answered properly. */
  next: Behaviour[]
  /** Files and batches that it keeps. */
  stored: StoredUpstream
}

export const USAGE = { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 }
const BASE = { id: 'chatcmpl-7', created: 1_795_150_800, model: 'their-model', system_fingerprint: 'fp_1' }

export const chunkOf = (delta: object, finish_reason: string | null = null): object => ({
  ...BASE,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason, logprobs: null }],
  usage: null,
})
export const eventOf = (value: object | string): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`

function deltasOf({ messages, tools }: UpstreamRequest['body']): object[] {
  const last = messages.at(-1)
  if (tools?.[0] !== undefined && last?.role !== 'tool')
    return [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            index: 0,
            id: 'call_1',
            type: 'function',
            function: { name: tools[0].function.name, arguments: '' },
          },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"city":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"Pokhara"}' } }] },
    ]
  const words = String(last?.content).split(/(?<= )/)
  return words.map((content, index) => ({ ...(index === 0 && { role: 'assistant' }), content }))
}

/** Answers beside chats, by path. */
const OTHER_ANSWERS: Readonly<Record<string, object>> = {
  '/v1/completions': {
    ...BASE,
    object: 'text_completion',
    choices: [{ index: 0, text: ' morning.', finish_reason: 'stop', logprobs: null }],
    usage: USAGE,
  },
  '/v1/embeddings': {
    object: 'list',
    model: BASE.model,
    data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5] }],
    usage: { prompt_tokens: 3, total_tokens: 3 },
  },
  '/v1/images/generations': { created: BASE.created, data: [{ b64_json: 'AAAA' }] },
  '/v1/moderations': { id: 'modr-7', model: BASE.model, results: [{ flagged: false }] },
}

function answerOther(response: ServerResponse, answer: object, body: UpstreamRequest['body']): unknown {
  if (body.stream === true && 'choices' in answer) return response.end(eventOf(answer) + eventOf('[DONE]'))
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

export const TRANSCRIPT = {
  text: 'नमस्ते',
  usage: { type: 'tokens', input_tokens: 5, output_tokens: 2, total_tokens: 7 },
}

function answerTranscript(response: ServerResponse, body: UpstreamRequest['body']): unknown {
  const { response_format: format = 'json' } = body
  if (format === 'vtt')
    return response.writeHead(200, { 'content-type': 'text/vtt' }).end(`WEBVTT\n\n${TRANSCRIPT.text}`)
  if (String(body.stream) !== 'true')
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(TRANSCRIPT))
  const events = [
    { type: 'transcript.text.delta', delta: 'नम' },
    { type: 'transcript.text.done', ...TRANSCRIPT },
  ]
  return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.map(eventOf).join(''))
}

export const proper: Behaviour = (response, { url, body }) => {
  if (url?.startsWith('/v1/audio/') === true) return answerTranscript(response, body)
  const other = OTHER_ANSWERS[url ?? '']
  if (other !== undefined) return answerOther(response, other, body)
  const deltas = deltasOf(body)
  const callsTool = body.tools !== undefined && body.messages.at(-1)?.role !== 'tool'
  const finish_reason = callsTool ? 'tool_calls' : 'stop'
  if (body.stream === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const delta of deltas) response.write(eventOf(chunkOf(delta)))
    response.write(eventOf(chunkOf({}, finish_reason)))
    if (body.stream_options?.include_usage === true)
      response.write(eventOf({ ...chunkOf({}), choices: [], usage: USAGE }))
    return response.end(eventOf('[DONE]'))
  }
  const message = callsTool
    ? {
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: body.tools?.[0]?.function.name, arguments: '{"city":"Pokhara"}' },
          },
        ],
      }
    : { content: String(body.messages.at(-1)?.content) }
  const choices = Array.from({ length: Number(body['n'] ?? 1) }, (_, index) => ({
    index,
    message: { role: 'assistant', refusal: null, annotations: [], ...message },
    finish_reason,
    logprobs: null,
  }))
  const answer = { ...BASE, object: 'chat.completion', choices, usage: USAGE, service_tier: 'default' }
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

/** Refuses with a message that quotes the key and the request, as some servers do. */
export const refuse =
  (status: number, error: object = {}, headers: Record<string, string> = {}): Behaviour =>
  (response, { headers: { authorization }, body }) =>
    response
      .writeHead(status, headers)
      .end(JSON.stringify({ error: { message: `${authorization} ${JSON.stringify(body)}`, ...error } }))

/** Reads JSON, or a form as its parts by name. */
async function readBody(bytes: Buffer<ArrayBuffer>, type = ''): Promise<UpstreamRequest['body']> {
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString() || '{}')
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const parts = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name)
    return [name, name.endsWith('[]') ? values : values[0]] as const
  })
  return { model: '', messages: [], ...Object.fromEntries(parts) }
}

export async function startChatUpstream(): Promise<ChatUpstream> {
  const requests: UpstreamRequest[] = []
  const next: Behaviour[] = []
  const stored = new StoredUpstream()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = await request.toArray()
    const { method, url, headers } = request
    const body = await readBody(Buffer.concat(parts), headers['content-type'])
    const received = { method, url, headers, body }
    requests.push(received)
    const behave = next.shift()
    if (behave !== undefined) await behave(response, received)
    else if (!(await stored.answer(response, received))) await proper(response, received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    next,
    stored,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Settings of a server with these upstreams; the file is read when it starts, and can then be removed. */
export async function writeUpstreams(content: object): Promise<{
  settings: { chatUpstreamsFile: string; readChatKey: (variable: string) => string | undefined }
  remove: () => Promise<void>
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-upstreams-'))
  const chatUpstreamsFile = path.join(folder, 'upstreams.json')
  await writeFile(chatUpstreamsFile, JSON.stringify(content))
  return {
    settings: {
      chatUpstreamsFile,
      readChatKey: (variable) => (variable === 'MODEL_KEY' ? 'sk-of-the-vendor' : undefined),
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
