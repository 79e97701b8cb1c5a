import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { mulaw } from '@vaani/pcm-audio'
import { carrierConformance } from '@vaani/telephony/conformance'
import { PEER_NUMBERS } from '@vaani/test-services/call-provider'
import { describe, test } from 'vitest'
import { makeFolder, openTwilioLine } from './support/twilio-line.ts'

const { echoes: _, ...numbers } = PEER_NUMBERS
/** Of μ-law at the loudest level of the cases. */
const QUANTIZATION = 600

// In real time, over HTTP and WebSocket. The calls mostly wait, so they do so beside each other.
describe('a Twilio carrier whose provider is the peer', () => {
  test.concurrent.for(carrierConformance)('$name', async ({ run }, { onTestFinished }) => {
    const { carrier, peer } = await openTwilioLine(onTestFinished)
    await run({
      carrier,
      numbers,
      recordingPath: join(await makeFolder(onTestFinished), 'call.wav'),
      passTime: (durationMs) => setTimeout(durationMs),
      // What the person heard, not what we recorded.
      heard: async () => {
        const bytes = peer.calls[0]?.heard ?? Buffer.alloc(0)
        const samples = new Int16Array(bytes.length)
        mulaw.toInt16(bytes, samples)
        return samples
      },
      sampleTolerance: QUANTIZATION,
    })
  })
})
