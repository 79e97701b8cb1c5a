import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { carrierConformance, type CarrierSubject } from '@vaani/telephony/conformance'
import { PEER_NUMBERS, type PeerProvider } from '@vaani/test-services/call-provider'
import { describe, test } from 'vitest'
import { LINEAR_16_KHZ, MULAW } from '../src/provider/encodings.ts'
import type { AudioEncoding } from '../src/provider/provider.ts'
import { makeFolder, openPeerLine } from './support/open-peer-line.ts'

const { echoes: _, ...twilio } = PEER_NUMBERS
// Without a SIP status, a person who declines is one who is busy.
const { rejects: __, ...telnyx } = twilio
const NUMBERS: Readonly<Record<PeerProvider, CarrierSubject['numbers']>> = { twilio, telnyx, vonage: twilio }
const ENCODINGS: Readonly<Record<PeerProvider, AudioEncoding>> = {
  twilio: MULAW,
  telnyx: MULAW,
  vonage: LINEAR_16_KHZ,
}
/** Of μ-law at the loudest level of the cases. */
const QUANTIZATION = 600

// In real time, over HTTP and WebSocket. The calls mostly wait, so they do so beside each other.
describe.for(['twilio', 'telnyx', 'vonage'] as const)(
  'a carrier whose provider is the peer as %s',
  (provider) => {
    const numbers = NUMBERS[provider]
    const cases = carrierConformance.filter(({ needs }) => !needs || numbers[needs] !== undefined)

    test.concurrent.for(cases)('$name', async ({ run }, { onTestFinished }) => {
      const { carrier, peer } = await openPeerLine(onTestFinished, { provider })
      await run({
        carrier,
        numbers,
        recordingPath: join(await makeFolder(onTestFinished), 'call.wav'),
        passTime: (durationMs) => setTimeout(durationMs),
        // What the person heard, not what we recorded.
        heard: async () => ENCODINGS[provider].decode(peer.calls[0]?.heard ?? Buffer.alloc(0)),
        sampleTolerance: QUANTIZATION,
      })
    })
  },
)
