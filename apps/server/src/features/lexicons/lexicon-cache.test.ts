import { firstIdAt } from '@vaani/service-kit/ids'
import type { Tenant } from '@vaani/service-kit/tenant'
import { expect, test } from 'vitest'
import { createLexiconCache } from './lexicon-cache.ts'
import { versionOf } from './rules/version-of.ts'
import type { LexiconRow, LexiconStore } from './store.ts'

const TENANT: Tenant = { accountId: firstIdAt('account', 0), livemode: false }

/** A cache on rows in memory, which counts what it reads and can fail. */
function open() {
  const rows = new Map<string, LexiconRow>()
  const reads = { versions: 0, entries: 0 }
  let nowMs = 0
  let isAway = false
  const store: Pick<LexiconStore, 'find' | 'findVersion'> = {
    async findVersion(_tenant, languages) {
      reads.versions++
      if (isAway) throw new Error('The database is away')
      return languages.map((language) => rows.get(language)).find((row) => row !== undefined)
    },
    async find(_tenant, language) {
      reads.entries++
      return rows.get(language)
    },
  }
  const cache = createLexiconCache({ store, clock: { nowMs: () => nowMs } })
  return {
    cache,
    reads,
    save(language: string, spoken_as: string) {
      const entries = [{ term: 'KYC', spoken_as }]
      rows.set(language, {
        account_id: TENANT.accountId,
        livemode: TENANT.livemode,
        language,
        version: versionOf(entries),
        entries,
        entry_count: 1,
        updated_at: new Date(0),
      })
    },
    remove: (language: string) => rows.delete(language),
    pass: (ms: number) => (nowMs += ms),
    setAway: (away: boolean) => (isAway = away),
    spoken: async (language = 'en-US') => (await cache.find(TENANT, language))?.find('KYC', 0)?.spokenAs,
  }
}

test('asks for the version at most twice a second, and for entries once per version', async () => {
  const { spoken, save, pass, reads } = open()
  save('en-US', 'one')
  for (let request = 0; request < 100; request++) expect(await spoken()).toBe('one')
  expect(reads).toEqual({ versions: 1, entries: 1 })
  pass(500)
  await Promise.all([spoken(), spoken(), spoken()])
  expect(reads).toEqual({ versions: 2, entries: 1 })
  save('en-US', 'two')
  expect(await spoken()).toBe('one')
  pass(500)
  expect(await Promise.all([spoken(), spoken(), spoken()])).toEqual(['two', 'two', 'two'])
  expect(reads).toEqual({ versions: 3, entries: 2 })
})

test('remembers that there is no lexicon', async () => {
  const { spoken, save, pass, reads } = open()
  for (let request = 0; request < 100; request++) expect(await spoken()).toBe(undefined)
  expect(reads).toEqual({ versions: 1, entries: 0 })
  save('en-US', 'one')
  pass(500)
  expect(await spoken()).toBe('one')
})

test('a lexicon that is deleted and stored again is not mistaken for the old one', async () => {
  const { spoken, save, remove, pass } = open()
  save('en-US', 'one')
  expect(await spoken()).toBe('one')
  remove('en-US')
  save('en-US', 'two')
  pass(500)
  expect(await spoken()).toBe('two')
})

test('a lexicon without region serves the regions that have none', async () => {
  const { spoken, save } = open()
  save('en', 'any')
  save('en-GB', 'British')
  expect(await Promise.all(['en-US', 'en-GB', 'EN-au', 'en', 'ne-NP'].map(spoken))).toEqual([
    'any',
    'British',
    'any',
    'any',
    undefined,
  ])
})

test('forgets an account at once', async () => {
  const { cache, spoken, save } = open()
  expect(await spoken()).toBe(undefined)
  save('en-US', 'one')
  cache.forget({ ...TENANT, livemode: true })
  expect(await spoken()).toBe(undefined)
  cache.forget(TENANT)
  expect(await spoken()).toBe('one')
})

test('goes on with what it knows while the database is away, and fails otherwise', async () => {
  const { cache, spoken, save, pass, setAway } = open()
  save('en-US', 'one')
  expect(await spoken()).toBe('one')
  setAway(true)
  pass(60_000)
  expect(await spoken()).toBe('one')
  cache.forget(TENANT)
  expect(await spoken()).toBe('one')
  await expect(spoken('ne-NP')).rejects.toThrow('away')
  setAway(false)
  expect(await spoken('ne-NP')).toBe(undefined)
})
