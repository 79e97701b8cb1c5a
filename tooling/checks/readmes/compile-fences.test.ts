import path from 'node:path'
import { expect, test } from 'vitest'
import { compileFences } from './compile-fences.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const directory = 'packages/webhook-verifier'

test('compiles a fragment, and reports errors at their lines in the README', async () => {
  const text =
    "import { createVerifier } from '@vaani/webhook-verifier'\n\ncreateVerifier({ secrets: '' }).check()\n"
  const fence = { opening: 'ts', text, prints: undefined, line: 40 }
  const problems = await compileFences(root, [{ directory, fence }])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^packages\/webhook-verifier\/README\.md:43: error TS\d+: Property 'check'/)
})
