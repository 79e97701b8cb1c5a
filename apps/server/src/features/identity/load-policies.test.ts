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

test('policies of a file are added to the built-in ones and inherit omitted members from the default', async () => {
  const { byName, standard } = await load('{"low-stakes":{"weights":{"liveness":"ignored"}}}', 'low-stakes')
  expect([...byName.keys()]).toEqual(['default', 'document-only', 'document-and-face', 'low-stakes'])
  expect(standard).toEqual({
    ...DEFAULT_POLICY,
    name: 'low-stakes',
    weights: { ...DEFAULT_POLICY.weights, liveness: 'ignored' },
  })
})

test('a policy may demand one of several checks', async () => {
  const { byName } = await load(
    '{"cards":{"weights":{"mrz_checks":"ignored"},"any_of":[["mrz_checks","document_template"]]}}',
  )
  expect(byName.get('cards')?.anyOf).toEqual([['mrz_checks', 'document_template']])
})

test('a policy that weighs the zone itself demands neither zone nor barcode besides', async () => {
  const { byName } = await load('{"own":{"weights":{"mrz_checks":"required"}},"other":{"reviewers":2}}')
  expect(byName.get('own')).toMatchObject({ anyOf: [], weights: { mrz_checks: 'required' } })
  expect(byName.get('other')?.anyOf).toEqual(DEFAULT_POLICY.anyOf)
})

test('groups of a policy come beside the demand for a zone or a barcode', async () => {
  const { byName } = await load('{"own":{"any_of":[["barcode","document_template"]]}}')
  expect(byName.get('own')?.anyOf).toEqual([['barcode', 'document_template'], ...DEFAULT_POLICY.anyOf])
})

test('a policy may accept some documents, countries and ages', async () => {
  const { byName } = await load(
    '{"adults":{"accepts":{"documents":["passport"],"countries":["NPL","IND"],"min_age":18}},"any":{"accepts":{"specimens":true}}}',
  )
  expect(byName.get('adults')?.accepts).toEqual({
    documents: ['passport'],
    countries: ['NPL', 'IND'],
    minAge: 18,
    specimens: false,
  })
  expect(byName.get('any')?.accepts).toEqual({ ...DEFAULT_POLICY.accepts, specimens: true })
})

test.each([
  ['not json', 'is not JSON'],
  ['{"low-stakes":{"weights":{"charm":"required"}}}', 'low-stakes.weights'],
  ['{"low-stakes":{"weights":{"liveness":"maybe"}}}', 'low-stakes.weights.liveness'],
  ['{"low-stakes":{"declineOn":[]}}', 'low-stakes'],
  [`{"${'x'.repeat(65)}":{}}`, 'xxx'],
  ['{"cards":{"any_of":[["barcode"]]}}', 'cards.any_of.0'],
  ['{"cards":{"any_of":[["mrz_checks","barcode"]]}}', 'cards.any_of: mrz_checks is required anyway'],
  [
    '{"cards":{"weights":{"mrz_checks":"required"},"any_of":[["mrz_checks","barcode"]]}}',
    'cards.any_of: mrz_checks is required anyway',
  ],
  ['{"own":{"accepts":{"countries":["Nepal"]}}}', 'own.accepts.countries.0'],
  ['{"own":{"accepts":{"documents":[]}}}', 'own.accepts.documents'],
  ['{"default":{}}', 'is the name of a built-in policy'],
])('%s is refused with the problem', async (text, problem) => {
  const loading = load(text)
  await expect(loading).rejects.toThrow(ConfigError)
  await expect(loading).rejects.toThrow(problem)
})

test('a missing file or policy is reported', async () => {
  const missing = identitySettings.read({ VAANI_IDENTITY_POLICIES_FILE: path.join(folder, 'none.json') })
  await expect(loadPolicies(missing)).rejects.toThrow('VAANI_IDENTITY_POLICIES_FILE cannot be read (ENOENT)')
  await expect(loadPolicies(identitySettings.read({ VAANI_IDENTITY_POLICY: 'constructor' }))).rejects.toThrow(
    'VAANI_IDENTITY_POLICY must be one of default, document-only',
  )
})
