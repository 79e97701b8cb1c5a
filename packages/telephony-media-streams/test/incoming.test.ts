import type { Carrier, IncomingCall } from '@vaani/telephony'
import { describe, test } from 'vitest'
import { PEER_ACCOUNTS } from '@vaani/test-services/call-provider'
import { MULAW } from '../src/provider/encodings.ts'
import { type OnFinished, openPeerLine } from './support/open-peer-line.ts'

const PARTIES = { from: '+9779812345678', to: '+97714412345' }

/** Opens a line that takes calls. Each is given to `receive`. */
async function open(
  onFinished: OnFinished,
  provider: 'twilio' | 'telnyx',
  receive: ((call: IncomingCall) => void) | undefined,
) {
  const { carrier, peer, publicUrl } = await openPeerLine(onFinished, {
    provider,
    settings: { takesCalls: true },
  })
  if (receive) carrier.onIncoming?.(receive)
  await untilKnown(carrier)
  return { peer, webhookUrl: `${publicUrl}/incoming` }
}

/** Its listener is open once it knows the provider. */
async function untilKnown(carrier: Carrier): Promise<void> {
  while (carrier.health?.().state === 'unknown') await new Promise((resolve) => setTimeout(resolve, 10))
}

describe.concurrent.for(['twilio', 'telnyx'] as const)('a call that comes in through %s', (provider) => {
  test('is answered, heard both ways, and ends when the caller hangs up', async ({
    expect,
    onTestFinished,
  }) => {
    const ended: unknown[] = []
    const heard: number[] = []
    const { peer, webhookUrl } = await open(onTestFinished, provider, (incoming) => {
      expect(incoming).toMatchObject(PARTIES)
      const call = incoming.answer({ callId: '1', maxDurationMs: 60_000, receiveAudio: true })
      void call.send(new Int16Array(1600).fill(8000))
      void call.ended.then((event) => ended.push(event))
      void (async () => {
        for await (const event of call.events) if (event.type === 'audio') heard.push(...event.samples)
      })()
    })
    const caller = await peer.callIn(webhookUrl, { ...PARTIES, echoes: true })
    await expect.poll(() => caller.heard.length).toBe(1600)
    expect(Math.max(...MULAW.decode(caller.heard))).toBeGreaterThan(7000)
    await expect.poll(() => Math.max(0, ...heard)).toBeGreaterThan(7000)
    caller.hangUp()
    await expect.poll(() => ended).toMatchObject([{ outcome: 'completed', endedBy: 'callee' }])
  })

  test('ends when we hang up', async ({ expect, onTestFinished }) => {
    const ended: unknown[] = []
    const { peer, webhookUrl } = await open(onTestFinished, provider, (incoming) => {
      const call = incoming.answer({ callId: '1', maxDurationMs: 60_000 })
      void call.ended.then((event) => ended.push(event))
      void (async () => {
        for await (const event of call.events) if (event.type === 'answered') call.hangUp()
      })()
    })
    const caller = await peer.callIn(webhookUrl, PARTIES)
    await expect.poll(() => caller.isOver).toBe(true)
    await expect.poll(() => ended).toMatchObject([{ outcome: 'completed', endedBy: 'agent' }])
  })

  test('is refused', async ({ expect, onTestFinished }) => {
    const { peer, webhookUrl } = await open(onTestFinished, provider, (incoming) => incoming.refuse('busy'))
    const caller = await peer.callIn(webhookUrl, PARTIES)
    expect(caller.refusal).toBe(provider === 'twilio' ? 'busy' : 'rejected')
  })

  test('is refused if nobody listens', async ({ expect, onTestFinished }) => {
    const { peer, webhookUrl } = await open(onTestFinished, provider, undefined)
    expect((await peer.callIn(webhookUrl, PARTIES)).refusal).toBe('rejected')
  })
})

test('a webhook with a forged signature rings nobody', async ({ expect, onTestFinished }) => {
  const rung: IncomingCall[] = []
  const { webhookUrl } = await open(onTestFinished, 'twilio', (incoming) => void rung.push(incoming))
  const body = new URLSearchParams({
    AccountSid: PEER_ACCOUNTS.twilio.accountSid,
    CallSid: `CA${'1'.repeat(32)}`,
    Direction: 'inbound',
    From: PARTIES.from,
    To: PARTIES.to,
  })
  const post = (headers: Record<string, string>) => fetch(webhookUrl, { method: 'POST', body, headers })
  expect((await post({ 'x-twilio-signature': 'forged' })).status).toBe(403)
  expect((await post({})).status).toBe(403)
  expect(rung).toEqual([])
})

test('a line that takes no calls has no such place', async ({ expect, onTestFinished }) => {
  const { carrier, peer, publicUrl } = await openPeerLine(onTestFinished)
  await untilKnown(carrier)
  expect(carrier.onIncoming).toBeUndefined()
  expect((await peer.callIn(`${publicUrl}/incoming`, PARTIES)).refusal).toBe('failed')
})
