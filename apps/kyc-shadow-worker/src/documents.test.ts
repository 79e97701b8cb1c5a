import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { features } from './features.ts'
import { gatewaySettings } from './gateway/settings.ts'

const PREFIX = 'VAANI_SHADOW_'
/** Read by commands, not declared: the key of the administration, and the address that the CLI uses. */
const UNDECLARED = ['VAANI_SHADOW_API_KEY', 'VAANI_SHADOW_URL']
const declared = [...new Set([...features.settings.variables, ...gatewaySettings.variables])].filter((name) =>
  name.startsWith(PREFIX),
)
const read = (file: string): Promise<string> => readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')

test('the README has each variable, in full or as `…_END` after another', async () => {
  const readme = await read('apps/kyc-shadow-worker/README.md')
  const ends = Array.from(readme.matchAll(/`…(_[A-Z_]+)`/g), ([, end = '']) => end)
  const missing = declared.filter(
    (name) => !readme.includes(`\`${name}\``) && !ends.some((end) => name.endsWith(end)),
  )
  expect(missing).toEqual([])
})

test.each(['apps/kyc-shadow-worker/README.md', 'docs/migrate/README.md', 'docs/migrate/runbook.md'])(
  '%s names no variable that does not exist',
  async (file) => {
    const named = (await read(file)).match(/VAANI_SHADOW_[A-Z_]+/g) ?? []
    expect(named.filter((name) => ![...declared, ...UNDECLARED].includes(name))).toEqual([])
  },
)
