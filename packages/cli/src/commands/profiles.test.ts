import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Fetch } from '@vaani/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeCredentials } from '../config/credentials.ts'
import { EXIT_CODES } from '../failure/exit-codes.ts'
import { runCli } from '../run-cli.ts'
import { createEnvironment, run } from '../test/run.ts'

let homeDirectory: string
beforeEach(async () => {
  homeDirectory = await mkdtemp(path.join(tmpdir(), 'vaani-home-'))
})
afterEach(() => rm(homeDirectory, { recursive: true, force: true }))

const staging = { baseUrl: 'https://staging.example.com', apiKey: 'sk_test_staging' }
const store = (profile?: string) => storeCredentials({ homeDirectory, variables: {} }, staging, profile)
const vaani = (line: readonly string[], variables: Record<string, string> = {}, fetch?: Fetch) =>
  run(line, { homeDirectory, variables, ...(fetch && { fetch }) })

test('logout reports whether there was a key, and whether one is still used', async () => {
  await store()
  expect((await vaani(['logout'])).stdout).toMatch(/^Removed the key in .*config\.json; it stays valid/)
  expect((await vaani(['logout'])).stdout).toMatch(/^No key was stored in .*config\.json\n$/)
  const variables = { VAANI_API_KEY: 'sk_test_mine' }
  expect((await vaani(['logout'], variables)).stderr).toBe(
    'VAANI_API_KEY is still set: commands use that key\n',
  )
  const { stdout } = await vaani(['logout', '--json'], variables)
  expect(JSON.parse(stdout)).toMatchObject({ removed: false, key_in_environment: true })
})

test('logout forgets the key of its profile only', async () => {
  await store()
  await store('staging')
  await vaani(['logout', '--profile', 'staging'])
  expect((await vaani(['profiles', '--json'])).stdout).toBe(
    `{"profile":"default","base_url":"${staging.baseUrl}","current":true}\n`,
  )
})

test('a command uses the service and the key of its profile', async () => {
  await store('staging')
  const asked: unknown[] = []
  const fetch: Fetch = async (url, { headers }) => {
    asked.push([new URL(url).origin, new Headers(headers).get('authorization')])
    return Response.json({ data: [], has_more: false, next_cursor: null })
  }
  const variables = { VAANI_API_KEY: 'sk_test_mine', VAANI_BASE_URL: 'https://vaani.example.com' }
  await vaani(['call', 'list', '--profile', 'staging'], variables, fetch)
  await vaani(['call', 'list'], variables, fetch)
  expect(await vaani(['profiles', 'use', 'staging'], variables)).toMatchObject({
    code: 0,
    stderr: 'VAANI_API_KEY is set and takes precedence\n',
  })
  await vaani(['call', 'list'], {}, fetch)
  expect(asked).toEqual([
    [staging.baseUrl, `Bearer ${staging.apiKey}`],
    ['https://vaani.example.com', 'Bearer sk_test_mine'],
    [staging.baseUrl, `Bearer ${staging.apiKey}`],
  ])
})

test('a profile without a key is rejected, and no other is used instead', async () => {
  await store()
  const asked = await vaani(['call', 'list', '--profile', 'live'])
  expect(asked).toMatchObject({ code: EXIT_CODES.access, stderr: expect.stringContaining('--profile live') })
  expect(await vaani(['profiles', 'use', 'live'])).toMatchObject({ code: EXIT_CODES.usage })
})

test('a login to a new profile uses the service of the environment', async () => {
  const asked: string[] = []
  const fetch: Fetch = async (url) => {
    asked.push(new URL(url).origin)
    return Response.json({ data: [], has_more: false, next_cursor: null })
  }
  const { environment, stdin } = createEnvironment({
    homeDirectory,
    variables: { VAANI_BASE_URL: staging.baseUrl },
    fetch,
  })
  stdin.end('sk_test_new')
  expect(await runCli(['login', '--key-stdin', '--profile', 'new'], environment)).toBe(0)
  expect(asked).toEqual([staging.baseUrl])
})
