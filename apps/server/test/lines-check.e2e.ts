/** `lines check` of the server's program, with a softphone as the trunk, and a peer in place of Twilio. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createSoftphone, type Softphone } from '@vaani/telephony-sip'
import { SIMULATOR_NUMBERS } from '@vaani/telephony-sip/simulator'
import {
  type CallProviderPeer,
  PEER_ACCOUNTS,
  PEER_NUMBERS,
  startCallProviderPeer,
} from '@vaani/test-services/call-provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { features } from '../src/features.ts'
import { printLines } from '../src/print-lines.ts'
import { freePort } from './support/redis-process.ts'

let folder: string
let phone: Softphone
let carriersFile: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vaani-lines-'))
  phone = await createSoftphone({ ringMs: 50 })
  const { host, port, transport } = phone.trunk
  carriersFile = path.join(folder, 'carriers.json')
  const carriers = {
    line: { type: 'sip', host, port, transport, keep_alive: false },
    gone: { type: 'sip', host: '127.0.0.1', port: await freePort(), transport: 'tcp' },
    simulator: { type: 'simulator' },
  }
  await writeFile(carriersFile, JSON.stringify({ carriers, test: ['simulator'], live: [] }))
})
afterAll(async () => {
  await phone.close()
  await rm(folder, { recursive: true, force: true })
})

async function check(
  name?: string,
  number?: string,
  file: string | undefined = carriersFile,
  isTraced = false,
) {
  let printed = ''
  const isWell = await printLines(
    { ...features.settings.read({}), carriersFile: file },
    {
      name,
      number,
      isTraced,
      signal: new AbortController().signal,
      print: (text) => (printed += text),
    },
  )
  return { isWell, printed }
}

test('says of each phone line whether its trunk answers', async () => {
  const { isWell, printed } = await check()
  expect(isWell).toBe(false)
  expect(printed.split('\n')).toEqual([
    'line: the trunk answers',
    'gone: no connection to 127.0.0.1. Look at the port and the transport',
    '',
  ])
})

test('calls a number, and hears its own voice from an echo service', async () => {
  const { isWell, printed } = await check('line', SIMULATOR_NUMBERS.echoes.number)
  expect(isWell).toBe(true)
  expect(printed).toMatch(
    /^line: the call was answered, and our own tone came back, so audio goes both ways; quality \(MOS\) \d\.\d of 4\.5$/m,
  )
})

test.each([
  ['busy', SIMULATOR_NUMBERS.busy.number, 'line: the number is busy (SIP status 486)'],
  ['silent', '+9779812345678', 'line: the call was answered, and nothing was heard.'],
])('says that a number is %s', async (_name, number, words) => {
  const { isWell, printed } = await check('line', number)
  expect(isWell).toBe(false)
  expect(printed).toContain(words)
})

test('prints what goes over the line, if asked, without the number', async () => {
  const { number } = SIMULATOR_NUMBERS.echoes
  const { printed } = await check('line', number, carriersFile, true)
  expect(printed).toMatch(/^\d\d:\d\d:\d\d\.\d{3} → udp 127\.0\.0\.1 \d+$/m)
  expect(printed).toMatch(/^ {2}INVITE sip:\+150…@127\.0\.0\.1\S* SIP\/2\.0$/m)
  expect(printed).toMatch(/^ {2}a=rtpmap:9 G722\/8000$/m)
  expect(printed).toMatch(/^ {2}SIP\/2\.0 200 OK$/m)
  expect(printed).toMatch(/RTP: \d+ packets sent, \d+ received, 0\.0 % lost so far, jitter \d+\.\d ms$/m)
  expect(printed).toMatch(/^ {2}BYE sip:/m)
  expect(printed).not.toContain(number.slice(4))
})

test('refuses a name that no phone line has', async () => {
  await expect(check('simulator')).rejects.toThrow('VAANI_CARRIERS_FILE names no phone line “simulator”')
})

describe('of a line of Twilio', () => {
  let peer: CallProviderPeer
  let file: string

  /** Checks the line, after some members of its entry have been changed. */
  const checkLine = async (changes: object = {}, number?: string) => {
    const port = await freePort()
    const line = {
      type: 'twilio',
      account_sid: PEER_ACCOUNTS.twilio.accountSid,
      auth_token_file: './token',
      api_url: peer.url,
      caller_id: '+9779800000001',
      public_url: `http://127.0.0.1:${port}`,
      listen_port: port,
      ...changes,
    }
    await writeFile(file, JSON.stringify({ carriers: { line }, test: [], live: [] }))
    return check('line', number, file)
  }

  beforeAll(async () => {
    peer = await startCallProviderPeer()
    file = path.join(folder, 'twilio.json')
    await writeFile(path.join(folder, 'token'), PEER_ACCOUNTS.twilio.authToken)
    await writeFile(path.join(folder, 'wrong'), 'wrong token')
  })
  afterAll(() => peer.close())

  test('says whether Twilio takes the credentials, also beside a server that runs', async () => {
    const { port } = new URL(peer.url)
    expect(await checkLine({ listen_port: Number(port) })).toEqual({
      isWell: true,
      printed: 'line: Twilio answers, and takes our credentials\n',
    })
    const refused = await checkLine({ auth_token_file: './wrong' })
    expect(refused.isWell).toBe(false)
    expect(refused.printed).toContain('line: Twilio refuses us. Look at account_sid and auth_token_file')
    expect(refused.printed).not.toContain('wrong token')
  })

  test('says that nothing answers at its API', async () => {
    const { isWell, printed } = await checkLine({ api_url: `http://127.0.0.1:${await freePort()}` })
    expect(isWell).toBe(false)
    expect(printed).toContain('line: no connection to Twilio.')
  })

  test('calls a number, and hears its own voice from an echo service', async () => {
    const { isWell, printed } = await checkLine({}, PEER_NUMBERS.echoes)
    expect({ isWell, printed }).toEqual({
      isWell: true,
      printed:
        'line: Twilio answers, and takes our credentials\n' +
        'line: the call was answered, and our own tone came back, so audio goes both ways\n',
    })
  })

  test('dials nothing if its port is taken', async () => {
    const before = peer.creationsAsked()
    const { port } = new URL(peer.url)
    const { isWell, printed } = await checkLine({ listen_port: Number(port) }, PEER_NUMBERS.answers)
    expect(isWell).toBe(false)
    expect(printed).toMatch(/^line: the line could not start\. .*listen_port.*\n$/)
    expect(peer.creationsAsked()).toBe(before)
  })
})
