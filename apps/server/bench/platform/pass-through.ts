/** The least that a gateway can do: reads the body, sends it on with undici, and pipes the answer back. */
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'
import { Pool } from 'undici'
import { announce } from './announce.ts'

const pool = new Pool(process.env['UPSTREAM'] ?? '', { connections: 1000 })

const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const answer = await pool.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(parts),
  })
  response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) })
  pipeline(answer.body, response, () => undefined)
})
announce(server)
