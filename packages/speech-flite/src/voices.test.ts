import { NEUTRAL } from '@vaani/speech'
import { beforeAll, expect, test } from 'vitest'
import { loadProgram } from './load-program.ts'
import { SAMPLE_RATE_HZ } from './messages.ts'
import { readSegments } from './segments.ts'
import { toManner, VOICES } from './voices.ts'
import { createWasiProgram, type WasiProgram } from './wasi-program.ts'

let program: WasiProgram
beforeAll(async () => {
  program = createWasiProgram(await loadProgram())
})

/** Returns when the last sound ends, as Flite speaks by itself or with these options. */
function endOf(voice: string, options: readonly string[] = []): number | undefined {
  const { printed } = program.run([
    ...`flite -voice ${voice} -psdur -o /speech.wav`.split(' '),
    '-t',
    'Rice is often served in round bowls.',
    ...options,
  ])
  return readSegments(printed, SAMPLE_RATE_HZ).at(-1)?.end
}

const { nova, atlas, alt1 } = VOICES.clustergen
const OWN = [VOICES.diphone['atlas'], nova, atlas, alt1].flatMap((voice) => voice ?? [])

test.each(OWN)('at rate 1, $flite speaks as fast as by itself', (voice) => {
  const { stretch } = toManner(voice, NEUTRAL)
  expect(endOf(voice.flite, ['--setf', `duration_stretch=${stretch}`])).toBe(endOf(voice.flite))
})
