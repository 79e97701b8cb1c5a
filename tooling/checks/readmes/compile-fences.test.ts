import path from 'node:path'
import { expect, test } from 'vitest'
import { compileFences } from './compile-fences.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const directory = 'packages/webhook-verifier'

test('compiles a fragment with its given declarations, and reports errors at their lines in the README', async () => {
  const text =
    "import { createVerifier } from '@vaani/webhook-verifier'\n\ncreateVerifier({ secrets }).check()\n"
  const given = 'declare const secrets:\n  string'
  const fence = { opening: 'ts', text, given, line: 40 }
  const problems = await compileFences(root, [{ directory, fence }])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^packages\/webhook-verifier\/README\.md:43: error TS\d+: Property 'check'/)
})
