/** The hand-written baseline: reads, parses and decodes the whole body, then writes the media to files. */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

const server = createServer(async (request, response) => {
  if (request.url === '/healthz') return void response.end('ok')
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
  const parsed = JSON.parse(body.toString()) as Record<string, string>
  const files = Object.values(parsed).map((text) => ({
    file: path.join(tmpdir(), `by-hand-${randomUUID()}`),
    bytes: Buffer.from(text, 'base64'),
  }))
  for (const { file, bytes } of files) await writeFile(file, bytes)
  for (const { file } of files) await rm(file)
  response.end('{}')
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
