import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { configFile, readCredentials, removeCredentials, storeCredentials } from './credentials.ts'
import { readProfiles, useProfile } from './profiles.ts'

let homeDirectory: string
beforeEach(async () => {
  homeDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-home-'))
})
afterEach(() => rm(homeDirectory, { recursive: true, force: true }))

const stored = { baseUrl: 'https://vaani.example.com', apiKey: 'sk_test_stored' }

test('stores credentials readable only by their owner, and replaces them atomically', async () => {
  const machine = { homeDirectory, variables: {} }
  await storeCredentials(machine, { ...stored, apiKey: 'sk_test_first' })
  await storeCredentials(machine, stored)
  expect(await readCredentials(machine)).toEqual(stored)
  expect((await stat(configFile(machine))).mode & 0o777).toBe(0o600)
  expect(await readdir(path.dirname(configFile(machine)))).toEqual(['config.json'])
  expect(await removeCredentials(machine)).toBe(true)
  expect(await removeCredentials(machine)).toBe(false)
  await expect(readCredentials(machine)).rejects.toMatchObject({ code: 'not_logged_in' })
})

test('the environment takes precedence, but a stored key is sent only to its own service', async () => {
  await storeCredentials({ homeDirectory, variables: {} }, stored)
  const read = (variables: Record<string, string>) => readCredentials({ homeDirectory, variables })
  expect(await read({ VAANI_API_KEY: 'sk_test_mine' })).toEqual({ ...stored, apiKey: 'sk_test_mine' })
  const other = { VAANI_BASE_URL: 'https://other.example.com/' }
  expect(await read({ ...other, VAANI_API_KEY: 'k' })).toEqual({
    apiKey: 'k',
    baseUrl: 'https://other.example.com',
  })
  expect(await read({ VAANI_BASE_URL: `${stored.baseUrl}/` })).toEqual(stored)
  await expect(read(other)).rejects.toMatchObject({ family: 'access' })
})

test('treats a damaged file as missing, and uses an XDG folder only if it is absolute', async () => {
  const xdg = { homeDirectory, variables: { XDG_CONFIG_HOME: path.join(homeDirectory, 'xdg') } }
  expect(configFile(xdg)).toBe(path.join(homeDirectory, 'xdg/vaani/config.json'))
  expect(configFile({ homeDirectory: '/home/sita', variables: { XDG_CONFIG_HOME: 'xdg' } })).toBe(
    '/home/sita/.config/vaani/config.json',
  )
  await storeCredentials(xdg, stored)
  await writeFile(configFile(xdg), '{"api_key":"sk_test_')
  await expect(readCredentials(xdg)).rejects.toMatchObject({ code: 'not_logged_in' })
})

test('the option chooses the profile, else the environment, else `profiles use`', async () => {
  const machine = { homeDirectory, variables: {} }
  const staging = { baseUrl: 'https://staging.example.com', apiKey: 'sk_test_staging' }
  const live = { baseUrl: 'https://vaani.example.com', apiKey: 'sk_live_one' }
  await storeCredentials(machine, stored)
  await storeCredentials(machine, staging, 'staging')
  await storeCredentials(machine, live, 'live')
  expect(await readCredentials(machine)).toEqual(stored)
  await useProfile(machine, 'staging')
  expect(await readCredentials(machine)).toEqual(staging)
  const variables = { VAANI_PROFILE: 'live' }
  expect(await readCredentials({ homeDirectory, variables })).toEqual(live)
  expect(await readCredentials({ homeDirectory, variables }, 'default')).toEqual(stored)
  // The option overrides the environment.
  const key = { ...variables, VAANI_API_KEY: 'sk_test_mine', VAANI_BASE_URL: 'https://other.example.com' }
  expect(await readCredentials({ homeDirectory, variables: key }, 'staging')).toEqual(staging)
  expect(await readProfiles(machine)).toEqual([
    { profile: 'default', base_url: stored.baseUrl, current: false },
    { profile: 'live', base_url: live.baseUrl, current: false },
    { profile: 'staging', base_url: staging.baseUrl, current: true },
  ])
  // Never fall back to another profile if one is missing: it may have a live key.
  await removeCredentials(machine, 'staging')
  await expect(readCredentials(machine)).rejects.toMatchObject({ code: 'not_logged_in' })
  await expect(useProfile(machine, 'staging')).rejects.toMatchObject({ family: 'usage' })
})

test.for(['../config', 'A', '', 'a/b', '-a', 'a'.repeat(33)])('%j is not a profile name', async (name) => {
  await expect(readCredentials({ homeDirectory, variables: {} }, name)).rejects.toMatchObject({
    family: 'usage',
  })
})
