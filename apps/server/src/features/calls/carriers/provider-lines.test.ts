import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
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

async function write(content: object): Promise<string> {
  const file = path.join(folder, 'carriers.json')
  await writeFile(file, JSON.stringify(content))
  return file
}

async function create(content: object) {
  const file = await write(content)
  const { carriers: entries, numbers } = await readCarriers(file)
  const log = pino({ level: 'silent' })
  return createCarriers({ file, entries, numbers, createSimulator: createManualSimulatorCarrier, log })
}

describe('a line of Twilio', () => {
  const SID = `AC${'0123456789abcdef'.repeat(2)}`
  const line = {
    type: 'twilio',
    account_sid: SID,
    auth_token_file: './token',
    caller_id: '+15017122661',
    public_url: 'https://voice.example.com/twilio',
    listen_port: 8090,
  }
  const fileOf = (changes: object, more: object = {}) => ({
    carriers: { line: { ...line, ...changes } },
    test: [],
    live: [{ carrier: 'line', prefixes: ['+977'] }],
    ...more,
  })

  it.each([
    ['carriers.line.account_sid: must be AC and 32', { account_sid: 'hunter2' }],
    ['carriers.line.auth_token_file', { auth_token_file: undefined }],
    ['carriers.line.auth_token', { auth_token: 'hunter2' }],
    ['carriers.line.caller_id: must be in E.164', { caller_id: '5017122661' }],
    ['carriers.line.public_url: must begin with https://', { public_url: 'http://hunter2.example.com' }],
    ['carriers.line.public_url: must begin with https://', { public_url: 'https://us:hunter2@example.com' }],
    ['carriers.line.public_url: must begin with https://', { public_url: 'https://example.com/?hunter2' }],
    ['carriers.line.api_url: must be a URL', { api_url: 'hunter2' }],
    ['carriers.line: must have both api_key_sid and api_key', { api_key_sid: `SK${'0'.repeat(32)}` }],
  ])('is refused without its value: %s', async (problem, changes) => {
    const reading = write(fileOf(changes)).then(readCarriers)
    await expect(reading).rejects.toThrow(problem)
    await expect(reading).rejects.not.toThrow('hunter2')
  })

  it('is not dialled outside a list of countries', async () => {
    const everywhere = fileOf({}, { live: ['line'] })
    await expect(write(everywhere).then(readCarriers)).rejects.toThrow('live.0.prefixes: must list')
  })

  it('stops the start without its token, or with an empty one', async () => {
    const missing = create(fileOf({ auth_token_file: './missing-token' }))
    await expect(missing).rejects.toThrow('carriers.line.auth_token_file cannot be read (ENOENT)')
    await writeFile(path.join(folder, 'token'), '\n')
    await expect(create(fileOf({}))).rejects.toThrow('carriers.line.auth_token_file is empty')
  })
})

describe('a line of Telnyx', () => {
  const line = {
    type: 'telnyx',
    account_sid: '61bf923e-5e4d-4595-a110-56190ea18a1b',
    application_sid: '1293384261075731499',
    api_key_file: './key',
    public_key: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
    caller_id: '+13122010055',
    public_url: 'https://voice.example.com/telnyx',
    listen_port: 8090,
  }
  const fileOf = (changes: object, live: unknown = [{ carrier: 'line', prefixes: ['+977'] }]) => ({
    carriers: { line: { ...line, ...changes } },
    test: [],
    live,
  })

  it('is read', async () => {
    const { carriers } = await readCarriers(await write(fileOf({})))
    expect(carriers['line']).toEqual({ ...line, listen_address: '127.0.0.1' })
  })

  it.each([
    ['carriers.line.account_sid: must be the id', { account_sid: 'hunter2/..' }],
    ['carriers.line.application_sid: must be the number', { application_sid: 'hunter2' }],
    ['carriers.line.api_key_file', { api_key_file: undefined }],
    ['carriers.line.public_key: must be the public key', { public_key: 'hunter2' }],
    ['live.0.prefixes: must list', {}, ['line']],
  ])('is refused without its value: %s', async (problem, changes, live?: unknown) => {
    const reading = write(fileOf(changes, live)).then(readCarriers)
    await expect(reading).rejects.toThrow(problem)
    await expect(reading).rejects.not.toThrow('hunter2')
  })
})

describe('a line of Vonage', () => {
  const line = {
    type: 'vonage',
    application_id: '78d335fa-323d-4114-9c3d-d6f0d48968cf',
    private_key_file: './private.key',
    signature_secret_file: './secret',
    caller_id: '+447700900000',
    public_url: 'https://voice.example.com/vonage',
    listen_port: 8090,
  }
  const fileOf = (changes: object, live: unknown = [{ carrier: 'line', prefixes: ['+977'] }]) => ({
    carriers: { line: { ...line, ...changes } },
    test: [],
    live,
  })

  it.each([
    ['carriers.line.application_id: must be the id', { application_id: 'hunter2' }],
    ['carriers.line.private_key_file', { private_key_file: undefined }],
    ['live.0.prefixes: must list', {}, ['line']],
  ])('is refused without its value: %s', async (problem, changes, live?: unknown) => {
    const reading = write(fileOf(changes, live)).then(readCarriers)
    await expect(reading).rejects.toThrow(problem)
    await expect(reading).rejects.not.toThrow('hunter2')
  })

  it('takes no calls', async () => {
    const numbers = [{ number: '+447700900000', carrier: 'line', account: 'acct', agent: 'mine' }]
    const reading = write({ ...fileOf({}), numbers }).then(readCarriers)
    await expect(reading).rejects.toThrow('numbers.0.carrier: must be another line')
  })

  it('stops the start with a key that is none', async () => {
    await writeFile(path.join(folder, 'private.key'), 'hunter2')
    await writeFile(path.join(folder, 'secret'), 'hunter2')
    const creating = create(fileOf({}))
    await expect(creating).rejects.toThrow('carriers.line.private_key_file must be an RSA key in PEM')
    await expect(creating).rejects.not.toThrow('hunter2')
  })
})
