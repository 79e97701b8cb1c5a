import { decodeWav } from '@vaani/pcm-audio'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, openCarrier } from './support/softphone-line.ts'
import { startBaresip } from './support/start-baresip.ts'

const NUMBER = '+9779812345678'
const SECONDS = 2

/** A tone that rises, so that it fits itself at one place only. */
const rise = (rateHz: number): Int16Array =>
  Int16Array.from({ length: SECONDS * rateHz }, (_, index) => {
    const seconds = index / rateHz
    return Math.round(9000 * Math.sin(2 * Math.PI * (300 + 250 * seconds) * seconds))
  })

const correlate = (one: Int16Array, other: Int16Array): number => {
  let product = 0
  let oneSquare = 0
  let otherSquare = 0
  for (const [index, a] of one.entries()) {
    const b = other[index] ?? 0
    product += a * b
    oneSquare += a * a
    otherSquare += b * b
  }
  return product / Math.sqrt(oneSquare * otherSquare || 1)
}

test.each([
  { codec: 'PCMU', likeness: 0.99 },
  // Its waveform is similar, not the same, and lies between our samples.
  { codec: 'opus', likeness: 0.9 },
] as const)(
  'baresip answers, hears what we say, and is heard, in $codec',
  { tags: 'baresip' },
  async ({ codec, likeness }) => {
    const phone = await startBaresip(onTestFinished, await makeFolder(onTestFinished), NUMBER, { codec })
    const { host, port } = phone
    const carrier = openCarrier(onTestFinished, { trunk: { host, port, transport: 'udp' }, codecs: [codec] })
    const call = carrier.dial({
      callId: 'call',
      to: NUMBER,
      ringTimeoutMs: 10_000,
      maxDurationMs: 60_000,
      receiveAudio: true,
    })
    await call.send(rise(16_000))
    await call.drained()
    let loudest = 0
    for await (const event of call.events) {
      if (event.type === 'audio') loudest = Math.max(loudest, ...event.samples)
      if (loudest > 7000) break
    }
    // Its jitter buffer still holds the end of what we said.
    await call.send(new Int16Array(50 * 320))
    await call.drained()
    call.hangUp()
    expect(await call.ended).toMatchObject({ outcome: 'completed' })

    const { format, samples: all } = decodeWav(await phone.stop())
    // Nothing is higher than 1,300 Hz, so every sixth sample at 48 kHz says as much.
    const step = (format.sampleRateHz / 8000) * format.channels
    const samples = all.filter((_, index) => index % step === 0)
    const said = rise(8000)
    const places = Array.from({ length: Math.max(0, samples.length - said.length) }, (_, place) =>
      correlate(said.subarray(0, 800), samples.subarray(place, place + 800)),
    )
    const start = places.indexOf(Math.max(...places))
    expect(correlate(said, samples.subarray(start, start + said.length))).toBeGreaterThan(likeness)
  },
)
