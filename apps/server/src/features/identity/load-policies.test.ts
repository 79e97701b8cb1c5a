import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DEFAULT_POLICY } from '@vaani/identity-checks'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadPolicies } from './load-policies.ts'
import { identitySettings } from './settings.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-policies-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function load(text: string, standard?: string) {
  const file = path.join(folder, 'policies.json')
  await writeFile(file, text)
  return loadPolicies(
    identitySettings.read({
      VAANI_IDENTITY_POLICIES_FILE: file,
      ...(standard && { VAANI_IDENTITY_POLICY: standard }),
    }),
  )
}

test('policies of a file go beside those built in, and are as strict as the default where they say nothing', async () => {
  const { byName, standard } = await load('{"low-stakes":{"weights":{"liveness":"ignored"}}}', 'low-stakes')
  expect([...byName.keys()]).toEqual(['default', 'document-only', 'low-stakes'])
  expect(standard).toEqual({
    ...DEFAULT_POLICY,
    name: 'low-stakes',
    weights: { ...DEFAULT_POLICY.weights, liveness: 'ignored' },
  })
})

test.each([
  ['not json', 'is no JSON'],
  ['{"low-stakes":{"weights":{"charm":"required"}}}', 'low-stakes.weights'],
  ['{"low-stakes":{"weights":{"liveness":"maybe"}}}', 'low-stakes.weights.liveness'],
  ['{"low-stakes":{"declineOn":[]}}', 'low-stakes'],
  [`{"${'x'.repeat(65)}":{}}`, 'xxx'],
  ['{"default":{}}', 'is built in'],
])('%s is refused, with what is wrong', async (text, problem) => {
  const loading = load(text)
  await expect(loading).rejects.toThrow(ConfigError)
  await expect(loading).rejects.toThrow(problem)
})

test('a file or a policy that is not there is told', async () => {
  const missing = identitySettings.read({ VAANI_IDENTITY_POLICIES_FILE: path.join(folder, 'none.json') })
  await expect(loadPolicies(missing)).rejects.toThrow('VAANI_IDENTITY_POLICIES_FILE cannot be read (ENOENT)')
  await expect(loadPolicies(identitySettings.read({ VAANI_IDENTITY_POLICY: 'constructor' }))).rejects.toThrow(
    'VAANI_IDENTITY_POLICY must be of default, document-only',
  )
})
