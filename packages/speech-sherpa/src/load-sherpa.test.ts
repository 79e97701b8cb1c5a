import path from 'node:path'
import { expect, test } from 'vitest'
import { findSherpa, loadSherpa } from './load-sherpa.ts'

test('finds the module in a directory, or where this package finds it', () => {
  const file = findSherpa(path.join(import.meta.dirname, '..'))
  expect(file).toContain('sherpa-onnx-node')
  expect(findSherpa(undefined)).toBe(file)
  expect(loadSherpa(file ?? '').OfflineTts).toBeTypeOf('function')
})
