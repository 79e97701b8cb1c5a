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
  ['the whole client', ['Vaani', 'ApiError', 'createWebhookInbox'], 'index.ts', 10_000],
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
