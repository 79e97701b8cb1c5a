import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const entry = path.join(import.meta.dirname, 'index.ts')

/** What a browser loads for a module that exports these names: minified, compressed, in bytes. */
async function bundleBytes(names: readonly string[]): Promise<number> {
  await using bundle = await rolldown({
    input: 'virtual',
    platform: 'browser',
    plugins: [
      {
        name: 'virtual',
        resolveId: (id) => (id === 'virtual' ? id : null),
        load: (id) =>
          id === 'virtual' ? `export { ${names.join(', ')} } from ${JSON.stringify(entry)}` : null,
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return gzipSync(output[0].code, { level: 9 }).length
}

test.each([
  [['int16ToFloat32'], 600],
  [['float32ToInt16'], 600],
  [['decodeInt16', 'mulaw'], 1000],
  [['createResampler'], 4000],
  [['createFramer'], 600],
  [['createWavReader'], 4000],
  [['pipe', 'resample', 'frame'], 4500],
])('%j fits into %i bytes', async (names, most) => {
  const bytes = await bundleBytes(names)
  expect(bytes).toBeGreaterThan(50)
  expect(bytes).toBeLessThanOrEqual(most)
})
