import { once } from 'node:events'
import { createServer } from 'node:http'

/** What an incoming webhook of Slack is to a sender. */
export interface Chat extends AsyncDisposable {
  readonly url: string
  readonly texts: readonly string[]
}

export async function startChat(): Promise<Chat> {
  const texts: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.once('end', () => {
      texts.push(JSON.parse(body).text)
      response.end('ok')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    texts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
