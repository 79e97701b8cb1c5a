import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

/** What a browser loads for a module that exports these names of a file: minified. */
async function bundle(names: readonly string[], file: string): Promise<string> {
  const source = path.join(import.meta.dirname, file)
  await using bundled = await rolldown({
    input: 'virtual',
    platform: 'browser',
    plugins: [
      {
        name: 'virtual',
        resolveId: (id) => (id === 'virtual' ? id : null),
        load: (id) =>
          id === 'virtual' ? `export { ${names.join(', ')} } from ${JSON.stringify(source)}` : null,
      },
    ],
  })
  const { output } = await bundled.generate({ format: 'esm', minify: true })
  return output[0].code
}

test.each([
  ['the whole client', ['Vaani', 'ApiError', 'createWebhookInbox', 'createObserver'], 'index.ts', 8700],
  ['admin', ['createAdmin'], 'resources/admin.ts', 3600],
  ['agents', ['createAgents'], 'resources/agents.ts', 3200],
  ['batches', ['createBatches'], 'resources/batches.ts', 4400],
  ['calls', ['createCalls'], 'resources/calls.ts', 4300],
  ['chat', ['createChat'], 'resources/chat.ts', 3850],
  ['deployments', ['createDeployments'], 'resources/deployments.ts', 3200],
  ['identity', ['createIdentity'], 'resources/identity.ts', 5300],
  ['ocr', ['createOcr'], 'resources/ocr.ts', 4350],
  ['speech', ['createSpeech'], 'resources/speech.ts', 4300],
  ['system', ['createSystem'], 'resources/system.ts', 3250],
  ['voices', ['createVoices'], 'resources/voices.ts', 4600],
  ['webhooks', ['createWebhooks'], 'resources/webhooks.ts', 3600],
  ['one class of errors', ['ApiError'], 'errors.ts', 400],
])('%s fits, minified and compressed, and loads nothing else', async (_name, names, file, most) => {
  const code = await bundle(names, file)
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(most)
  expect(code).not.toMatch(/\bimport\b|\brequire\b/)
})
