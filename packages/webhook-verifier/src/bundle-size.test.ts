import { gzipLength } from '@vaani/browser'
import { expect, test } from 'vitest'
import { bundleForBrowsers } from '../bench/bundle.ts'
import * as library from './index.ts'

test.each([
  ['the verifier', ['createVerifier'], 2150],
  ['every export', Object.keys(library), 3050],
])('%s fits in a browser, minified and gzipped', async (_name, names, maximumBytes) => {
  const code = await bundleForBrowsers(names)
  expect(gzipLength(code)).toBeLessThanOrEqual(maximumBytes)
  // Nothing is loaded later, so this is the total size.
  expect(code).not.toMatch(/\bimport\b|\brequire\b/)
})
