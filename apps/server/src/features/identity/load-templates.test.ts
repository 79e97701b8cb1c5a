import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BUILT_IN_TEMPLATES } from '@vaani/identity-checks/templates'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadTemplates } from './load-templates.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-templates-'))
})
afterEach(() => rm(folder, { recursive: true }))

const [builtIn] = BUILT_IN_TEMPLATES
const write = (name: string, content: unknown) =>
  writeFile(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))

test('templates of the folder come before those built in, and replace those of their name', async () => {
  await write('b.json', { ...builtIn, document_type: 'ours' })
  await write('a.json', { ...builtIn, name: 'other' })
  await write('README.md', 'not a template')
  const loaded = await loadTemplates(folder)
  expect(loaded.map(({ name, document_type }) => [name, document_type])).toEqual([
    ['other', 'citizenship'],
    ['nepal-citizenship', 'ours'],
  ])
  expect(await loadTemplates(undefined)).toBe(BUILT_IN_TEMPLATES)
})

test('null in a template counts as omitted', async () => {
  await write('a.json', { ...builtIn, name: 'other', nationality: null })
  const [template] = await loadTemplates(folder)
  expect(template).toMatchObject({ name: 'other' })
  expect(template).not.toHaveProperty('nationality')
})

test.each([
  ['{', 'VAANI_IDENTITY_TEMPLATES a.json is not JSON'],
  [{ ...builtIn, sides: [] }, 'VAANI_IDENTITY_TEMPLATES a.json sides'],
  [
    { ...builtIn, issuing_country: 'Nepal' },
    'a.json issuing_country: must be of one to three capital letters',
  ],
])('an invalid file is refused with its problem', async (content, problem) => {
  await write('a.json', content)
  const loading = loadTemplates(folder)
  await expect(loading).rejects.toThrow(ConfigError)
  await expect(loading).rejects.toThrow(problem)
})

test('an empty folder, a missing one and a name that is taken are refused', async () => {
  await expect(loadTemplates(folder)).rejects.toThrow('has no .json file')
  await expect(loadTemplates(path.join(folder, 'none'))).rejects.toThrow('cannot be read (ENOENT)')
  await write('a.json', builtIn)
  await write('b.json', builtIn)
  await expect(loadTemplates(folder)).rejects.toThrow(
    'b.json: nepal-citizenship is the name of another template',
  )
})
