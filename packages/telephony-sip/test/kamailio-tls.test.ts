import { decodeWav } from '@vaani/pcm-audio'
import { describe, expect, test } from 'vitest'
import type { SipCarrierOptions } from '../src/line/sip-carrier.ts'
import { createSoftphone } from '../src/softphone/create-softphone.ts'
import { createAuthority } from './support/certificates.ts'
import { freePort } from './support/free-port.ts'
import { makeFolder, openCarrier, type OnFinished } from './support/softphone-line.ts'
import { startBaresip } from './support/start-baresip.ts'
import { startKamailio } from './support/start-kamailio.ts'
import { startRtpengine } from './support/start-rtpengine.ts'

const NUMBER = '+9779812345678'
const LOGIN = { username: 'vaani', password: 'right' }
const REQUEST = { callId: 'call', to: NUMBER, ringTimeoutMs: 45_000, maxDurationMs: 60_000 }

/** Starts the trunk with a certificate, and dials. */
async function callOverTls(
  onFinished: OnFinished,
  server: { readonly names?: string; readonly days?: number; readonly asksForCertificate?: boolean } = {},
  options: Partial<Omit<SipCarrierOptions, 'trunk'>> & { readonly showsCertificate?: boolean } = {},
) {
  const phone = await createSoftphone({ ringMs: 100 })
  onFinished(() => phone.close())
  const { names = 'IP:127.0.0.1', days = 1, asksForCertificate = false } = server
  const { showsCertificate = false, ...line } = options
  const authority = await createAuthority(await makeFolder(onFinished))
  const trunk = await startKamailio(onFinished, {
    phone: phone.trunk,
    password: LOGIN.password,
    tls: {
      port: await freePort(),
      certificate: await authority.issue('trunk', names, days),
      ...(asksForCertificate && { callersAuthorityFile: authority.certificateFile }),
    },
  })
  const { key, certificate } = await authority.issue('caller', 'DNS:caller.example')
  return openCarrier(onFinished, {
    trunk: { ...trunk, ...LOGIN, keepAlive: false },
    certificateAuthorities: [authority.certificate],
    ...(showsCertificate && { clientCertificate: { key, certificate } }),
    ...line,
  }).dial(REQUEST)
}

describe.concurrent('Kamailio over TLS', { tags: ['kamailio-tls', 'openssl'] }, () => {
  test('takes a call, and its end', async ({ onTestFinished }) => {
    const call = await callOverTls(onTestFinished)
    await call.send(new Int16Array(10 * 320))
    await call.drained()
    call.hangUp()
    expect(await call.ended).toMatchObject({ outcome: 'completed', endedBy: 'agent' })
  })

  test.for([
    ['names another host', { names: 'DNS:other.example' }, {}],
    ['has expired', { days: -1 }, {}],
    ['is of an unknown authority', {}, { certificateAuthorities: [] }],
  ] as const)('is refused if its certificate %s', async ([_why, server, line], { onTestFinished }) => {
    const { ended } = await callOverTls(onTestFinished, server, line)
    const end = await ended
    expect(end).toMatchObject({ outcome: 'unreachable', endedBy: 'carrier' })
    expect(end.sipStatus).toBeUndefined()
  })

  test('takes a call of a customer with a certificate, where it asks for one', async ({ onTestFinished }) => {
    const call = await callOverTls(onTestFinished, { asksForCertificate: true }, { showsCertificate: true })
    await call.send(new Int16Array(10 * 320))
    await call.drained()
    call.hangUp()
    expect(await call.ended).toMatchObject({ outcome: 'completed' })
  })

  test('takes no call without one', async ({ onTestFinished }) => {
    const { ended } = await callOverTls(onTestFinished, { asksForCertificate: true })
    expect(await ended).toMatchObject({ outcome: 'unreachable', endedBy: 'carrier' })
  })
})

/** Talks to baresip behind Kamailio, with SRTP whose keys go over TLS. */
async function talkEncrypted(onFinished: OnFinished, { isProxied }: { readonly isProxied: boolean }) {
  const folder = await makeFolder(onFinished)
  const phone = await startBaresip(onFinished, folder, NUMBER, { srtp: !isProxied })
  const authority = await createAuthority(await makeFolder(onFinished))
  const trunk = await startKamailio(onFinished, {
    phone: { host: phone.host, port: phone.port, transport: 'udp' },
    password: LOGIN.password,
    tls: { port: await freePort(), certificate: await authority.issue('trunk', 'IP:127.0.0.1') },
    rtpenginePort: isProxied ? await startRtpengine(onFinished) : undefined,
  })
  const call = openCarrier(onFinished, {
    trunk: { ...trunk, ...LOGIN, srtp: 'required', keepAlive: false },
    certificateAuthorities: [authority.certificate],
    codecs: ['PCMU'],
  }).dial({ ...REQUEST, receiveAudio: true })
  await call.send(Int16Array.from({ length: 100 * 320 }, (_, index) => 8000 * Math.sin(index / 8)))
  await call.drained()
  let loudest = 0
  for await (const event of call.events) {
    if (event.type === 'audio') loudest = Math.max(loudest, ...event.samples)
    if (loudest > 7000) break
  }
  call.hangUp()
  expect(await call.ended).toMatchObject({ outcome: 'completed' })
  const heard = decodeWav(await phone.stop()).samples
  expect(Math.max(...heard)).toBeGreaterThan(7000)
  expect(Math.max(...heard)).toBeLessThan(9000)
}

test(
  'baresip behind Kamailio hears SRTP whose keys went over TLS, and speaks it',
  { tags: ['kamailio-tls', 'openssl', 'baresip'] },
  ({ onTestFinished }) => talkEncrypted(onTestFinished, { isProxied: false }),
)

test(
  'rtpengine takes our SRTP apart for a phone without it, and speaks it to us',
  { tags: ['kamailio-tls', 'openssl', 'baresip', 'rtpengine'] },
  ({ onTestFinished }) => talkEncrypted(onTestFinished, { isProxied: true }),
)
