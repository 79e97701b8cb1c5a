import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Carrier, CarrierCall, IncomingCall } from '@vaani/telephony'
import { describe, expect, test } from 'vitest'
import { freePort, isTaken } from './support/free-port.ts'
import { makeFolder, openCarrier, type OnFinished } from './support/softphone-line.ts'
import { toneFrames, join as joinFrames } from './support/tones.ts'

const PATIENCE = { timeout: 60_000 }
const ANSWER = { callId: 'incoming', maxDurationMs: 60_000 }

/** Opens a carrier that takes calls, and one that is its trunk and calls it. */
async function openBoth(onFinished: OnFinished) {
  const port = await freePort()
  const taker = openCarrier(onFinished, {
    trunk: { host: '127.0.0.1', port: await freePort(), transport: 'udp', keepAlive: false, inbound: {} },
    localPort: port,
  })
  const calls: IncomingCall[] = []
  taker.onIncoming?.((call) => calls.push(call))
  await expect.poll(() => isTaken(port), PATIENCE).toBe(true)
  const trunk = { host: '127.0.0.1', port, transport: 'udp', keepAlive: false } as const
  return { taker, calls, port, caller: openCarrier(onFinished, { trunk }) }
}

const dial = (caller: Carrier): CarrierCall =>
  caller.dial({
    callId: 'outgoing',
    to: '+9771555000',
    fromCallerId: '+9779812345678',
    ringTimeoutMs: 45_000,
    maxDurationMs: 60_000,
    receiveAudio: true,
  })

/** Returns the first call that comes in. */
async function firstOf(calls: readonly IncomingCall[]): Promise<IncomingCall> {
  await expect.poll(() => calls.length, PATIENCE).toBe(1)
  const [call] = calls
  if (!call) throw new Error('No call has come in')
  return call
}

/** Resolves once something is heard. */
async function hearSound({ events }: CarrierCall): Promise<boolean> {
  for await (const event of events)
    if (event.type === 'audio' && event.samples.some((sample) => Math.abs(sample) > 4000)) return true
  return false
}

const TONE = joinFrames(toneFrames(100))

describe('a call that comes in', () => {
  test('is answered, heard on both sides, recorded, and hung up', async ({ onTestFinished }) => {
    const { calls, caller } = await openBoth(onTestFinished)
    const outgoing = dial(caller)
    const ringing = await firstOf(calls)
    expect(ringing).toMatchObject({ to: '+9771555000', from: '+9779812345678' })
    const recordingPath = join(await makeFolder(onTestFinished), 'call.wav')
    const call = ringing.answer({ ...ANSWER, receiveAudio: true, recordingPath })
    const heard = Promise.all([hearSound(call), hearSound(outgoing)])
    await Promise.all([call.send(TONE), outgoing.send(TONE)])
    expect(await heard).toEqual([true, true])
    call.hangUp()
    expect(await outgoing.ended).toMatchObject({ outcome: 'completed', endedBy: 'callee' })
    const ended = await call.ended
    expect(ended).toMatchObject({
      outcome: 'completed',
      endedBy: 'agent',
      recording: { path: recordingPath },
    })
    expect(ended.quality?.packetsReceived).toBeGreaterThan(0)
    expect((await stat(recordingPath)).size).toBeGreaterThan(44)
    expect(() => ringing.answer(ANSWER)).toThrow('answered or refused before')
  })

  test.for([
    ['unknown_number', { outcome: 'unreachable', sipStatus: 404 }],
    ['unavailable', { outcome: 'no_answer', sipStatus: 480 }],
    ['busy', { outcome: 'busy', sipStatus: 486 }],
    ['rejected', { outcome: 'rejected', sipStatus: 603 }],
  ] as const)('is refused as %s', async ([reason, end], { onTestFinished }) => {
    const { calls, caller } = await openBoth(onTestFinished)
    const outgoing = dial(caller)
    const ringing = await firstOf(calls)
    ringing.refuse(reason)
    ringing.refuse('busy')
    expect(await outgoing.ended).toMatchObject(end)
    expect(ringing.gone.aborted).toBe(false)
  })

  test('is gone once the caller has given up, and its answer ends as canceled', async ({
    onTestFinished,
  }) => {
    const { calls, caller } = await openBoth(onTestFinished)
    const outgoing = dial(caller)
    const ringing = await firstOf(calls)
    outgoing.hangUp()
    expect(await outgoing.ended).toMatchObject({ outcome: 'canceled' })
    await expect.poll(() => ringing.gone.aborted, PATIENCE).toBe(true)
    expect(await ringing.answer(ANSWER).ended).toMatchObject({ outcome: 'canceled', durationMs: 0 })
  })

  test('is refused, or hung up, when the carrier closes', async ({ onTestFinished }) => {
    const { calls, caller, taker } = await openBoth(onTestFinished)
    const outgoing = dial(caller)
    const ringing = await firstOf(calls)
    await taker.close()
    expect(await outgoing.ended).toMatchObject({ outcome: 'no_answer', sipStatus: 480 })
    expect(ringing.gone.aborted).toBe(true)
    expect(() => ringing.answer(ANSWER)).toThrow('closed')
  })

  test('may come from sipp', { tags: 'sipp' }, async ({ onTestFinished }) => {
    const { calls, port } = await openBoth(onTestFinished)
    const media = ['-i', '127.0.0.1', '-mi', '127.0.0.1', '-p', String(await freePort())]
    const child = spawn(
      'sipp',
      ['-sn', 'uac', '-s', '9771555000', ...media, '-d', '300', '-m', '1', '-nostdin', `127.0.0.1:${port}`],
      {
        cwd: await makeFolder(onTestFinished),
        stdio: 'ignore',
        env: { ...process.env, TERM: 'dumb' },
      },
    )
    onTestFinished(async () => void child.kill('SIGKILL'))
    const exit = once(child, 'exit')
    const call = (await firstOf(calls)).answer(ANSWER)
    expect(await call.ended).toMatchObject({ outcome: 'completed', endedBy: 'callee' })
    expect((await exit)[0]).toBe(0)
    expect(calls).toMatchObject([{ to: '9771555000' }])
  })
})
