import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, onTestFinished, test } from 'vitest'
import type { CallEnded } from '../carrier.ts'
import { carrierConformance } from '../conformance/index.ts'
import type { CarrierSubject } from '../conformance/index.ts'
import { createLoopbackCarrier, createManualLoopbackCarrier } from './loopback-carrier.ts'
import { LOOPBACK_TEST_NUMBERS } from './test-numbers.ts'
import { makeFolder, samplesOf } from '../line/test/recordings.ts'

const numbers = {
  answers: '+9779812345678',
  busy: LOOPBACK_TEST_NUMBERS.busy.number,
  rejects: LOOPBACK_TEST_NUMBERS.rejects.number,
  neverAnswers: LOOPBACK_TEST_NUMBERS.neverAnswers.number,
  unreachable: LOOPBACK_TEST_NUMBERS.unreachable.number,
}

async function surroundings() {
  const heard = async ({ recording }: CallEnded) => {
    if (!recording) throw new Error('The call has no recording')
    return samplesOf(recording.path)
  }
  return { numbers, recordingPath: join(await makeFolder(), 'call.wav'), heard }
}

async function manualSubject(): Promise<CarrierSubject> {
  const carrier = createManualLoopbackCarrier()
  const passTime = async (durationMs: number) => {
    await carrier.advance(durationMs)
    // Let the speaker and the recorder work between two frames.
    await setImmediate()
  }
  return { ...(await surroundings()), carrier, passTime }
}

/** Real threads and timers, at twenty times real time. */
async function fastSubject(): Promise<CarrierSubject> {
  const carrier = createLoopbackCarrier({ frameIntervalMs: 1 })
  return { ...(await surroundings()), carrier, passTime: () => setImmediate() }
}

describe.each([
  { pace: 'by hand', makeSubject: manualSubject },
  { pace: 'by the clock', makeSubject: fastSubject },
])('the loopback phone, paced $pace', ({ makeSubject }) => {
  test.each(carrierConformance)('$name', { timeout: 30_000 }, async ({ run }) => {
    const subject = await makeSubject()
    onTestFinished(() => subject.carrier.close())
    await run(subject)
  })
})
