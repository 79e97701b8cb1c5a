/** A deployment that takes whatever it gets, and answers at once. */
import { createServer } from 'node:http'
import { announce } from './announce.ts'

const ANSWER = JSON.stringify({
  verification_id: 'ver_0',
  decision: 'pending',
  status: 'pending',
  scores: {},
  reasons: [],
})

announce(
  createServer((request, response) => {
    request
      .resume()
      .once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER))
  }),
)
