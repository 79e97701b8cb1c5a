import path from 'node:path'
import { bundleNames, gzipLength } from '@vaani/browser'
import { expect, test } from 'vitest'

const entry = path.join(import.meta.dirname, 'index.ts')

test.each([
  [['int16ToFloat32'], 600],
  [['float32ToInt16'], 600],
  [['decodeInt16', 'mulaw'], 1000],
  [['createResampler'], 4000],
  [['createFramer'], 600],
  [['createWavReader'], 4000],
  [['pipe', 'resample', 'frame'], 4500],
])('%j fits into %i bytes', async (names, most) => {
  const bytes = gzipLength(await bundleNames(names, entry))
  expect(bytes).toBeGreaterThan(50)
  expect(bytes).toBeLessThanOrEqual(most)
})
