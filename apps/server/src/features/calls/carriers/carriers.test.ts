import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createManualSimulatorCarrier } from '@vaani/telephony-sip/simulator'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCarriers } from './carriers.ts'
import { readCarriers } from './carriers-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-carriers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(content: unknown, module = ''): Promise<string> {
  const file = path.join(folder, 'carriers.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  await writeFile(path.join(folder, 'trunk.mjs'), module)
  return file
}

async function create(content: unknown, module?: string) {
  const file = await write(content, module)
  const { carriers: entries, numbers } = await readCarriers(file)
  const log = pino({ level: 'silent' })
  return createCarriers({ file, entries, numbers, createSimulator: createManualSimulatorCarrier, log })
}

const SIMULATOR = { type: 'simulator' }
const trunk = (module = './trunk.mjs') => ({ type: 'module', module })

describe('the file of carriers', () => {
  it.each([
    ['is not JSON', '{'],
    ['carriers: must not be empty', { carriers: {}, test: [], live: [] }],
    [
      'live.0: names no carrier of the file',
      { carriers: { simulator: SIMULATOR }, test: [], live: ['trunk'] },
    ],
    ['must be named simulator', { carriers: { trunk: SIMULATOR }, test: [], live: [] }],
    ['must not be named like a simulator', { carriers: { simulator: trunk() }, test: [], live: [] }],
    [
      'prefixes.0: must be the beginning of a number',
      {
        carriers: { simulator: SIMULATOR },
        test: [{ carrier: 'simulator', prefixes: ['977'] }],
        live: [],
      },
    ],
    [
      'live.0.prefixes: must list the countries',
      { carriers: { line: { type: 'sip', host: 'sip.example' } }, test: [], live: ['line'] },
    ],
    [
      'live.0.prefixes: must list the countries',
      {
        carriers: { line: { type: 'sip', host: 'sip.example' } },
        test: [],
        live: [{ carrier: 'line', prefixes: ['+'] }],
      },
    ],
    [
      'carriers.line.domain: must be a host name',
      {
        carriers: { line: { type: 'sip', host: 'sip.example', domain: 'x\r\nX-More: 1' } },
        test: [],
        live: [],
      },
    ],
    [
      'carriers.line.codecs: must name each codec once',
      {
        carriers: { line: { type: 'sip', host: 'sip.example', codecs: ['opus', 'opus'] } },
        test: [],
        live: [],
      },
    ],
    [
      'live.0: is not accepted: price_per_minute must be a decimal in a string, such as "0.014"',
      {
        carriers: { line: { type: 'sip', host: 'sip.example' } },
        test: [],
        live: [{ carrier: 'line', prefixes: ['+977'], price_per_minute: '0,014' }],
      },
    ],
    [
      'live.0.time_zone: must be a time zone',
      {
        carriers: { line: { type: 'sip', host: 'sip.example' } },
        test: [],
        live: [{ carrier: 'line', prefixes: ['+977'], time_zone: 'Nepal Time' }],
      },
    ],
    [
      'hours',
      {
        carriers: { simulator: { type: 'simulator' } },
        test: ['simulator'],
        live: [],
        hours: [{ from: '20:00', to: '08:00' }],
      },
    ],
    [
      'live.0.price_per_minute: must be there, with spend_per_day',
      {
        carriers: { line: { type: 'sip', host: 'sip.example' } },
        test: [],
        live: [{ carrier: 'line', prefixes: ['+977'] }],
        caps: { currency: 'EUR', accounts: { acct_1: { spend_per_day: '5' } } },
      },
    ],
    [
      'caps.currency: must be there, with spend_per_day',
      {
        carriers: { simulator: { type: 'simulator' } },
        test: ['simulator'],
        live: [],
        caps: { default: { spend_per_day: '5.50' } },
      },
    ],
    [
      'carriers.line: must have both username and password_file',
      { carriers: { line: { type: 'sip', host: 'sip.example', username: 'us' } }, test: [], live: [] },
    ],
    [
      'carriers.line: must have both client_certificate_file and client_key_file',
      {
        carriers: {
          line: { type: 'sip', host: 'sip.example', transport: 'tls', client_key_file: './key' },
        },
        test: [],
        live: [],
      },
    ],
    [
      'carriers.line: must have both client_certificate_file and client_key_file, with tls',
      {
        carriers: {
          line: {
            type: 'sip',
            host: 'sip.example',
            client_certificate_file: './pem',
            client_key_file: './key',
          },
        },
        test: [],
        live: [],
      },
    ],
    [
      'carriers.line.caller_id_header',
      {
        carriers: { line: { type: 'sip', host: 'sip.example', caller_id_header: 'from' } },
        test: [],
        live: [],
      },
    ],
  ])('is refused: %s', async (problem, content) => {
    await expect(write(content).then(readCarriers)).rejects.toThrow(problem)
  })

  it('takes null as absent, but hands options on as they are', async () => {
    const { carriers, routes } = await readCarriers(
      await write({
        carriers: { trunk: { ...trunk(), options: { host: null } }, other: { ...trunk(), options: null } },
        test: [],
        live: [{ carrier: 'trunk', prefixes: null, accounts: null }],
      }),
    )
    expect(carriers).toMatchObject({ trunk: { options: { host: null } }, other: { options: {} } })
    expect(routes.live).toEqual([{ carrier: 'trunk' }])
  })

  it('routes each mode by its own rows', async () => {
    const { routes } = await readCarriers(
      await write({
        carriers: { simulator: SIMULATOR, trunk: trunk() },
        test: ['simulator'],
        live: [{ carrier: 'trunk', prefixes: ['+977'] }],
      }),
    )
    expect(routes).toEqual({
      test: [{ carrier: 'simulator' }],
      live: [{ carrier: 'trunk', prefixes: ['+977'] }],
    })
  })
})

describe('a module', () => {
  const file = {
    carriers: { trunk: { ...trunk(), options: { host: 'sip.example' } } },
    test: [],
    live: ['trunk'],
  }

  it('makes a carrier from the options of the file', async () => {
    const carriers = await create(
      file,
      `export default ({ host }) => ({
        name: host, sampleRateHz: 8000, dial() {}, async close() {},
        pacing: () => ({ p50Ms: 20, p99Ms: 21, maxMs: 25, gaps: 10, calls: 1 }),
      })`,
    )
    expect(carriers.find('trunk')?.name).toBe('sip.example')
    expect(carriers.find('gone')).toBeUndefined()
    expect(carriers.pacing()).toMatchObject({ p99Ms: 21, gaps: 10 })
    await carriers.close()
  })
})

describe('a module that cannot be used', () => {
  it.each([
    ['cannot be loaded', './missing.mjs', ''],
    ['exports no function', './no-function.mjs', 'export const one = 1'],
    ['created no Carrier', './no-carrier.mjs', 'export default () => ({ name: "x" })'],
    [
      'could not create its carrier',
      './fails.mjs',
      'export default async () => { throw new Error("secret") }',
    ],
    [
      'could not create its carrier',
      './fails-at-once.mjs',
      'export default () => { throw new Error("secret") }',
    ],
  ])('stops the start: %s', async (problem, module, source) => {
    const content = { carriers: { trunk: trunk(module) }, test: [], live: ['trunk'] }
    await write(content)
    if (source !== '') await writeFile(path.join(folder, module), source)
    await expect(create(content)).rejects.toThrow(`carriers.trunk.module: ${problem}`)
    await expect(create(content)).rejects.not.toThrow('secret')
  })
})

describe('a line', () => {
  const open = (line: object) =>
    create({
      carriers: { line: { type: 'sip', host: '127.0.0.1', ...line } },
      test: [],
      live: [{ carrier: 'line', prefixes: ['+977'] }],
    })

  it('is opened with the password of its file, and places no call by itself', async () => {
    await writeFile(path.join(folder, 'password'), 'secret\n')
    const carriers = await open({ username: 'us', password_file: './password' })
    expect(carriers.find('line')?.name).toBe('line')
    await carriers.close()
  })

  const TLS = { transport: 'tls', client_certificate_file: './line.pem', client_key_file: './line.key' }

  it('stops the start with a certificate that is none', async () => {
    await writeFile(path.join(folder, 'line.pem'), 'secret')
    await writeFile(path.join(folder, 'line.key'), 'secret')
    await expect(open(TLS)).rejects.toThrow(
      'carriers.line: client_certificate_file and client_key_file must be',
    )
    await expect(open(TLS)).rejects.not.toThrow('secret')
  })

  it('is opened with a certificate, and a header for the caller id', { tags: 'openssl' }, async () => {
    const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=us'
    const files = ['-keyout', path.join(folder, 'line.key'), '-out', path.join(folder, 'line.pem')]
    await promisify(execFile)('openssl', [...made.split(' '), ...files])
    const carriers = await open({ ...TLS, caller_id_header: 'asserted' })
    expect(carriers.find('line')?.name).toBe('line')
    await carriers.close()
  })

  it(
    'stops the start with an authority that is none, and opens it with one',
    { tags: 'openssl' },
    async () => {
      const line = { transport: 'tls', certificate_authority_file: './authority.pem' }
      const file = path.join(folder, 'authority.pem')
      await writeFile(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
      await expect(open(line)).rejects.toThrow(
        'carriers.line: certificate_authority_file must have certificates',
      )
      const made =
        'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=authority'
      const key = path.join(folder, 'authority.key')
      await promisify(execFile)('openssl', [...made.split(' '), '-keyout', key, '-out', file])
      const carriers = await open(line)
      expect(carriers.find('line')?.name).toBe('line')
      await carriers.close()
      await expect(open({ certificate_authority_file: './authority.pem' })).rejects.toThrow('with tls only')
    },
  )

  it('stops the start without its file', async () => {
    await expect(open({ username: 'us', password_file: './missing' })).rejects.toThrow(
      'carriers.line.password_file cannot be read (ENOENT)',
    )
  })
})
