import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, onTestFinished, test } from 'vitest'
import type { CallEnded } from '@vaani/telephony'
import { carrierConformance } from '@vaani/telephony/conformance'
import type { CarrierSubject } from '@vaani/telephony/conformance'
import { createSimulatorCarrier, createManualSimulatorCarrier } from './simulator-carrier.ts'
import { SIMULATOR_NUMBERS } from '../softphone/simulator-numbers.ts'
import { makeFolder, samplesOf } from '../../test/support/softphone-line.ts'

const numbers = {
  answers: '+9779812345678',
  busy: SIMULATOR_NUMBERS.busy.number,
  rejects: SIMULATOR_NUMBERS.rejects.number,
  neverAnswers: SIMULATOR_NUMBERS.neverAnswers.number,
  unreachable: SIMULATOR_NUMBERS.unreachable.number,
}

async function surroundings() {
  const heard = async ({ recording }: CallEnded) => {
    if (!recording) throw new Error('The call has no recording')
    return samplesOf(recording.path)
  }
  return { numbers, recordingPath: join(await makeFolder(onTestFinished), 'call.wav'), heard }
}

async function manualSubject(): Promise<CarrierSubject> {
  const carrier = createManualSimulatorCarrier()
  const passTime = async (durationMs: number) => {
    await carrier.advance(durationMs)
    // Let the speaker and the recorder work between two frames.
    await setImmediate()
  }
  return { ...(await surroundings()), carrier, passTime }
}

/** Real threads and timers, at twenty times real time. */
async function fastSubject(): Promise<CarrierSubject> {
  const carrier = createSimulatorCarrier({ frameIntervalMs: 1 })
  return { ...(await surroundings()), carrier, passTime: () => setImmediate() }
}

describe.each([
  { pace: 'by hand', makeSubject: manualSubject },
  { pace: 'by the clock', makeSubject: fastSubject },
])('the simulator, paced $pace', ({ makeSubject }) => {
  test.each(carrierConformance)('$name', { timeout: 30_000 }, async ({ run }) => {
    const subject = await makeSubject()
    onTestFinished(() => subject.carrier.close())
    await run(subject)
  })
})
