import { setTimeout as delay } from 'node:timers/promises'
import type { CallEnded, Carrier, CarrierCall, CarrierHealth } from '@vaani/telephony'

/** Longer than an unanswered request waits (64 × T1, RFC 3261, section 17.1.1.2). */
const PATIENCE_MS = 35_000
const POLL_MS = 100
const RING_TIMEOUT_MS = 45_000
/** How long we speak, and listen afterwards for what was on its way. */
const TONE_MS = 3000
const LISTEN_MS = 1500
const TONE_HZ = 440
const TONE_AMPLITUDE = 8000
/** Peak of a frame that is a sound, and not the noise of a line: 30 dB below full scale. */
const SOUND_PEAK = 1000

/** What came back: our tone, another sound, or nothing but silence. */
export type Heard = 'echo' | 'sound' | 'nothing'

export interface CheckedCall {
  readonly ended: CallEnded
  readonly heard: Heard
}

/** Waits until a trunk has answered, or has failed to. */
export async function learnHealth(carrier: Carrier, signal: AbortSignal): Promise<CarrierHealth> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS && !signal.aborted; waitedMs += POLL_MS) {
    const health = carrier.health?.() ?? { state: 'unknown' }
    if (health.state !== 'unknown') return health
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined)
  }
  return carrier.health?.() ?? { state: 'unknown' }
}

/** Calls a number, plays a tone and listens. */
export async function callNumber(
  carrier: Carrier,
  { number, signal }: { number: string; signal: AbortSignal },
): Promise<CheckedCall> {
  const call = carrier.dial({
    callId: crypto.randomUUID(),
    to: number,
    ringTimeoutMs: RING_TIMEOUT_MS,
    maxDurationMs: TONE_MS + 2 * LISTEN_MS,
    receiveAudio: true,
    signal,
  })
  const frames: Heard[] = []
  for await (const event of call.events) {
    if (event.type === 'answered') void speak(call, carrier.sampleRateHz)
    if (event.type === 'audio') frames.push(judgeFrame(event.samples, carrier.sampleRateHz))
    if (event.type === 'ended') return { ended: event, heard: judgeCall(frames) }
  }
  throw new Error('A carrier ended the events of a call before its end')
}

async function speak(call: CarrierCall, sampleRateHz: number): Promise<void> {
  const samples = (sampleRateHz * TONE_MS) / 1000
  await call.send(
    Int16Array.from({ length: samples }, (_, n) =>
      Math.round(TONE_AMPLITUDE * Math.sin((2 * Math.PI * TONE_HZ * n) / sampleRateHz)),
    ),
  )
  await call.drained()
  await Promise.race([call.ended, delay(LISTEN_MS)])
  call.hangUp()
}

/** Judges a frame by how much of its energy is at the frequency of our tone (Goertzel's algorithm). */
export function judgeFrame(samples: Int16Array, sampleRateHz: number): Heard {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  if (peak < SOUND_PEAK) return 'nothing'
  const step = 2 * Math.cos((2 * Math.PI * TONE_HZ) / sampleRateHz)
  let [last, before, energy] = [0, 0, 0]
  for (const sample of samples) {
    energy += sample * sample
    ;[last, before] = [sample + step * last - before, last]
  }
  const atTone = (2 * (last * last + before * before - step * last * before)) / samples.length
  return atTone > energy / 2 ? 'echo' : 'sound'
}

/** Half a second of a sound is one; a click is none. */
const FEWEST_FRAMES = 25

export function judgeCall(frames: readonly Heard[]): Heard {
  const count = (heard: Heard): number => frames.filter((frame) => frame === heard).length
  if (count('echo') >= FEWEST_FRAMES) return 'echo'
  return count('sound') + count('echo') >= FEWEST_FRAMES ? 'sound' : 'nothing'
}
