import path from 'node:path'
import { expect, test } from 'vitest'
import { describeMissing, findSherpa, loadSherpa } from './load-sherpa.ts'

test('finds the module in a directory, or where this package finds it', () => {
  const file = findSherpa(path.join(import.meta.dirname, '..'))
  expect(file).toContain('sherpa-onnx-node')
  expect(findSherpa(undefined)).toBe(file)
  expect(loadSherpa(file ?? '').OfflineTts).toBeTypeOf('function')
})

test('names the folder in which it is not installed, and the command that installs it', () => {
  expect(describeMissing('/opt/voices')).toBe(
    'sherpa-onnx-node is not installed in /opt/voices: npm install --prefix "/opt/voices" sherpa-onnx-node',
  )
  expect(describeMissing(undefined)).toContain(`is not installed in ${process.cwd()}: npm install`)
})
