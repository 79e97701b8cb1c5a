import path from 'node:path'
import { bundleNames, gzipLength } from '@vaani/browser'
import { expect, test } from 'vitest'

interface Part {
  readonly name: string
  readonly exports: readonly string[]
  readonly file: string
  readonly mostBytes: number
}

const namespace = (name: string, create: string, mostBytes = 5000): Part => ({
  name,
  exports: [create],
  file: `resources/${name}.ts`,
  mostBytes,
})

test.each<Part>([
  {
    name: 'the whole client',
    exports: ['Vaani', 'ApiError', 'createWebhookInbox'],
    file: 'index.ts',
    // The aim is 10 000. What must be there, a checked answer and bounded bodies, went beyond it.
    mostBytes: 11_200,
  },
  { name: 'one class of errors', exports: ['ApiError'], file: 'errors.ts', mostBytes: 1000 },
  namespace('admin', 'createAdmin'),
  namespace('agents', 'createAgents'),
  // The aim is 5000 for each; those with more than one kind of answer are beyond it.
  namespace('batches', 'createBatches', 5450),
  namespace('calls', 'createCalls', 5350),
  namespace('chat', 'createChat'),
  namespace('deployments', 'createDeployments'),
  // Two ways of sending media, by four kinds of sources, and waiting.
  namespace('identity', 'createIdentity', 6300),
  namespace('ocr', 'createOcr', 5200),
  namespace('realtime', 'createRealtime', 5200),
  namespace('speech', 'createSpeech', 5200),
  namespace('system', 'createSystem'),
  namespace('voices', 'createVoices', 5600),
  namespace('webhooks', 'createWebhooks'),
])('$name fits, minified and compressed, and loads nothing else', async ({ exports, file, mostBytes }) => {
  const code = await bundleNames(exports, path.join(import.meta.dirname, file))
  expect(gzipLength(code)).toBeLessThanOrEqual(mostBytes)
  expect(code).not.toMatch(/\bimport\b|\brequire\b/)
})
