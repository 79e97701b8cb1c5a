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
    mostBytes: 10_800,
  },
  { name: 'one class of errors', exports: ['ApiError'], file: 'errors.ts', mostBytes: 1000 },
  namespace('admin', 'createAdmin'),
  namespace('agents', 'createAgents'),
  namespace('batches', 'createBatches', 5300),
  namespace('calls', 'createCalls', 5225),
  namespace('chat', 'createChat'),
  namespace('deployments', 'createDeployments'),
  namespace('identity', 'createIdentity', 6075),
  namespace('lexicons', 'createLexicons'),
  namespace('migration', 'createMigration', 5600),
  namespace('models', 'createModels'),
  namespace('ocr', 'createOcr'),
  namespace('realtime', 'createRealtime'),
  namespace('reviews', 'createReviews'),
  namespace('speech', 'createSpeech'),
  namespace('system', 'createSystem'),
  namespace('voices', 'createVoices', 5425),
  namespace('watermark', 'createWatermark', 5200),
  namespace('webhooks', 'createWebhooks'),
])('$name fits, minified and compressed, and loads nothing else', async ({ exports, file, mostBytes }) => {
  const code = await bundleNames(exports, path.join(import.meta.dirname, file))
  expect(gzipLength(code)).toBeLessThanOrEqual(mostBytes)
  expect(code).not.toMatch(/\bimport\b|\brequire\b/)
})
