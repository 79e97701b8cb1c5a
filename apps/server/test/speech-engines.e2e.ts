import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startTestServer } from './support/test-server.ts'

/** Starts a vendor of speech that answers with a second of a constant, or with a status. */
async function startVendor() {
  const answer = { status: 200 }
  const server = createServer((request, response) => {
    const samples = new Int16Array(24_000).fill(answer.status === 200 ? 10_000 : 0)
    request.resume().on('end', () => response.writeHead(answer.status).end(new Uint8Array(samples.buffer)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    answer,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('engines of the operator speak and are listed, and the next one speaks while a vendor is down', async () => {
  using vendor = await startVendor()
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
  const speechEnginesFile = path.join(folder, 'engines.json')
  const { baseUrl } = vendor
  await writeFile(
    speechEnginesFile,
    JSON.stringify({
      engines: {
        vendor: {
          type: 'openai',
          base_url: baseUrl,
          model: 'tts',
          voices: { nova: 'alloy' },
          languages: ['en-US'],
          max_retries: 0,
        },
        embedded: { type: 'espeak', workers: 1 },
      },
    }),
  )
  await using server = await startTestServer({ config: { speechEnginesFile, roles: new Set(['api']) } })
  await rm(folder, { recursive: true })
  const speak = async (voice: string, input = 'Hello') => {
    const response = await server.fetch('/v1/audio/stream', { body: { model: 'stream-tts', input, voice } })
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  const { body } = await server.json<{ engine: string; data: { language: string }[] }>('/v1/engine/languages')
  expect(body.engine).toBe('router')
  expect(body.data).toContainEqual({ language: 'en-US', quality: 'native', engine: 'vendor' })
  expect(body.data).toContainEqual({ language: 'ne-NP', quality: 'native', engine: 'embedded' })

  // A second at 16 kHz.
  expect((await speak('nova')).bytes.length).toBe(32_000)
  expect((await speak('atlas')).bytes.length).not.toBe(32_000)
  vendor.answer.status = 500
  const other = await speak('nova')
  expect(other.status).toBe(200)
  expect(other.bytes.length).not.toBe(32_000)
  expect(new Int16Array(other.bytes.buffer).some((sample) => Math.abs(sample) > 500)).toBe(true)
})
