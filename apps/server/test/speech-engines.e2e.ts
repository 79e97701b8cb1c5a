import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/test-server.ts'

/** Starts a vendor of speech that answers with a second of a constant, or with a status. */
async function startVendor() {
  const answer = { status: 200 }
  const asked: unknown[] = []
  const server = createServer(async (request, response) => {
    const samples = new Int16Array(24_000).fill(answer.status === 200 ? 10_000 : 0)
    asked.push(await json(request))
    response.writeHead(answer.status).end(new Uint8Array(samples.buffer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    answer,
    asked,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Starts a server whose vendor speaks English in the voice `nova`, and whose embedded engine speaks the rest. */
async function startWith(vendor: { baseUrl: string }): Promise<TestServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vaani-engines-'))
  const speechEnginesFile = path.join(folder, 'engines.json')
  await writeFile(
    speechEnginesFile,
    JSON.stringify({
      engines: {
        vendor: {
          type: 'openai',
          base_url: vendor.baseUrl,
          model: 'tts',
          voices: { nova: 'alloy' },
          languages: ['en-US'],
          max_retries: 0,
        },
        embedded: { type: 'espeak', workers: 1 },
      },
    }),
  )
  const server = await startTestServer({ config: { speechEnginesFile, roles: new Set(['api']) } })
  await rm(folder, { recursive: true })
  return server
}

test('engines of the operator speak and are listed, and the next one speaks while a vendor is down', async () => {
  using vendor = await startVendor()
  await using server = await startWith(vendor)
  const speak = async (voice: string, input = 'Hello') => {
    const response = await server.fetch('/v1/audio/stream', { body: { model: 'stream-tts', input, voice } })
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  const { body } = await server.json<{ engine: string; data: { language: string }[] }>('/v1/engine/languages')
  expect(body.engine).toBe('router')
  expect(body.data).toContainEqual({
    language: 'en-US',
    quality: 'native',
    text_rules: true,
    engine: 'vendor',
  })
  expect(body.data).toContainEqual({
    language: 'ne-NP',
    quality: 'native',
    text_rules: true,
    engine: 'embedded',
  })

  // A second at 16 kHz.
  expect((await speak('nova')).bytes.length).toBe(32_000)
  expect((await speak('atlas')).bytes.length).not.toBe(32_000)
  vendor.answer.status = 500
  const other = await speak('nova')
  expect(other.status).toBe(200)
  expect(other.bytes.length).not.toBe(32_000)
  expect(new Int16Array(other.bytes.buffer).some((sample) => Math.abs(sample) > 500)).toBe(true)
})

test('hosted speech hands instructions and wide rates to an engine that follows them, and else says who does not', async () => {
  using vendor = await startVendor()
  await using server = await startWith(vendor)
  const speak = async (more: object) => {
    const words = { model: 'gpt-4o-mini-tts', voice: 'nova', input: 'Hello', response_format: 'pcm' }
    const response = await server.fetch('/v1/audio/speech', { body: { ...words, ...more } })
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
  }
  const instructions = 'Speak slowly, like a nurse at night.'
  expect(await speak({ instructions, speed: 4 })).toMatchObject({ status: 200, body: { length: 48_000 } })
  expect((await speak({ instructions: ' Calm ' })).status).toBe(200)
  expect(vendor.asked).toEqual([
    expect.objectContaining({ instructions, speed: 4, voice: 'alloy' }),
    expect.not.objectContaining({ instructions: expect.anything() }),
  ])
  // The embedded engine follows neither, so it does not stand in.
  vendor.answer.status = 500
  expect((await speak({ instructions })).status).toBe(500)
  for (const [param, value] of Object.entries({ instructions, speed: 4 })) {
    const { status, body } = await speak({ voice: 'atlas', [param]: value })
    expect([status, JSON.parse(body.toString()).error]).toMatchObject([
      400,
      { code: 'invalid_request', param },
    ])
  }
})
