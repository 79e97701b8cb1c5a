import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundle } from '../test/support/bundle.ts'

test.each([
  ['the whole client', ['Vaani', 'ApiError', 'createWebhookInbox', 'createObserver'], 'index.ts', 10_000],
  ['calls', ['createCalls'], 'resources/calls.ts', 5000],
  ['speech', ['createSpeech'], 'resources/speech.ts', 5000],
  ['realtime', ['createRealtime'], 'resources/realtime.ts', 5000],
  ['identity', ['createIdentity'], 'resources/identity.ts', 6500],
  ['one class of errors', ['ApiError'], 'errors.ts', 1000],
])('%s fits, minified and compressed, and loads nothing else', async (_name, names, file, most) => {
  const code = await bundle(names, file)
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(most)
  expect(code).not.toMatch(/\bimport\b|\brequire\b/)
})
