/**
 * A server of chat models that costs next to nothing: whole answers at once, or after ANSWER_MS, and streams whose chunks have the
 * time of their writing.
 */
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { announce } from './announce.ts'
import { CHUNK_MS, CHUNKS } from './shape.ts'

const ANSWER_MS = Number(process.env['ANSWER_MS'] ?? 0)
const BASE = { id: 'chatcmpl-1', created: 1_795_150_800, model: 'their-model' }
const ANSWER = JSON.stringify({
  ...BASE,
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Good morning. '.repeat(30) }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 20, completion_tokens: 60, total_tokens: 80 },
})

const eventOf = (content: string, finish_reason: string | null) =>
  `data: ${JSON.stringify({ ...BASE, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text: string) => (body += text))
  request.on('end', async () => {
    if (!body.includes('"stream":true')) {
      if (ANSWER_MS > 0) await delay(ANSWER_MS)
      response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    let sent = 0
    const timer = setInterval(() => {
      // The monotonic clock is the same in all processes of a machine.
      if (sent++ < CHUNKS) response.write(eventOf(String(process.hrtime.bigint()), null))
      else {
        clearInterval(timer)
        response.end(`${eventOf('', 'stop')}data: [DONE]\n\n`)
      }
    }, CHUNK_MS)
    response.once('close', () => clearInterval(timer))
  })
})
announce(server)
