import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { decodeWav } from '@vaani/pcm-audio'
import { carrierConformance } from '@vaani/telephony/conformance'
import { describe, test } from 'vitest'
import { makeFolder, openSoftphoneLine } from '../../test/support/softphone-line.ts'
import { SIMULATOR_NUMBERS } from '../softphone/simulator-numbers.ts'

const numbers = {
  answers: '+9779812345678',
  busy: SIMULATOR_NUMBERS.busy.number,
  rejects: SIMULATOR_NUMBERS.rejects.number,
  neverAnswers: SIMULATOR_NUMBERS.neverAnswers.number,
  unreachable: SIMULATOR_NUMBERS.unreachable.number,
}

// In real time, over UDP. The calls mostly wait, so they do so beside each other.
describe('a SIP carrier whose trunk is the softphone', () => {
  test.concurrent.for(carrierConformance)('$name', async ({ run }, { onTestFinished }) => {
    await run({
      carrier: await openSoftphoneLine(onTestFinished),
      numbers,
      recordingPath: join(await makeFolder(onTestFinished), 'call.wav'),
      passTime: (durationMs) => setTimeout(durationMs),
      heard: async ({ recording }) => decodeWav(await readFile(recording?.path ?? '')).samples,
    })
  })
})
