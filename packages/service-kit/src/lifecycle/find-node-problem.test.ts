import { expect, test } from 'vitest'
import { findNodeProblem } from './find-node-problem.ts'

/** Requires Node 24.9. */
const manifest = new URL('../../package.json', import.meta.url)

test.each(['24.9.0', '24.10.0', '25.0.0', '100.1.2'])('Node %s can run the package', (version) => {
  expect(findNodeProblem(manifest, version)).toBeNull()
})

test.each([
  ['24.8.1', '24.8'],
  ['22.23.3', '22.23'],
  ['4.9.1', '4.9'],
])('Node %s cannot', (version, short) => {
  expect(findNodeProblem(manifest, version)).toBe(
    `@vaani/service-kit needs Node 24.9 or newer; this is ${short}`,
  )
})
