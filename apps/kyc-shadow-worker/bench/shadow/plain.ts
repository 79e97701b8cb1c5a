/** The shortest proxy that undici makes. */
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { Pool } from 'undici'
import { announce } from './announce.ts'

const pool = new Pool(process.argv[2] ?? '', { connections: 64 })

announce(
  createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request
    const { host: _, connection: __, ...passed } = headers
    const body = method === 'GET' ? null : request
    pool
      .request({ method, path, headers: passed, body })
      .then((answer) => {
        const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = answer.headers
        response.writeHead(answer.statusCode, kept)
        return pipeline(answer.body, response)
      })
      .catch(() => response.destroy())
  }),
)
