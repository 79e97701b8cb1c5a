/**
 * `pnpm bench cloning`: which recordings the gate of voice cloning takes, of people and of what is no single voice.
 *
 * `--people FOLDER` has a folder of recordings for each person, `--several FOLDER` conversations, `--others FOLDER` music and noise, and all of
 * them are strangers'. “Spliced” are people of the first folder one after the other, each as loud as the first: two for 7 s each, two for 9 and 4 s,
 * two who take turns of 3 s, and three for 5 s each. Nobody spoke in one room there, which makes it easier. Recordings under 3 s are left out, longer ones than 55 s cut.
 *
 * The axes were learned from other recordings, and the distances chosen on them; these were in view when the length of a stretch, the number of axes and the share of held pitch were settled. People: 125 readers of LibriSpeech's `train-clean-100` and five of `test-other` (every second one in resemble-ai/Resemblyzer, the
 * others of which the axes were learned from and the thresholds chosen on), twelve clips of a politician's speeches from there, two readers of speechbrain, a reader of LJ Speech,
 * John F. Kennedy (faster-whisper), Philippe Rémy (deep-speaker), six callers of the Free Spoken Digit Dataset, six voices of Real-Time-Voice-Cloning. Several: 14 clips of meetings by distant microphones (AMI, in pyannote-audio)
 * and a telephone call there, an interview of Resemblyzer, two conversations of pyAudioAnalysis. Others: music and sounds of the games Frozen Bubble and Pingus, from Debian.
 */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { judgeRecordings } from '../src/cloning/judge-recordings.ts'
import { ANALYSIS_RATE_HZ } from '../src/cloning/track-voice.ts'
import { AudioError, decodeAudio } from '../src/decode-audio/index.ts'

const SPLICED = 200
const PAIRS = 150
const { values } = parseArgs({
  options: { people: { type: 'string' }, several: { type: 'string' }, others: { type: 'string' } },
})

let seed = 1
const below = (count: number): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * count)
}
/** Some of the items, none of them twice. */
function choose<Item>(items: readonly Item[], count: number): Item[] {
  const left = [...items]
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)).flat()
}

async function read(file: string): Promise<Float32Array | null> {
  try {
    const samples = await decodeAudio({ file }, { sampleRateHz: ANALYSIS_RATE_HZ, maxSeconds: 600 })
    return samples.length < 3 * ANALYSIS_RATE_HZ ? null : samples.subarray(0, 55 * ANALYSIS_RATE_HZ)
  } catch (error) {
    if (error instanceof AudioError) return null
    throw error
  }
}

async function readAll(folder: string | undefined): Promise<Float32Array[]> {
  if (folder === undefined) return []
  const names = (await readdir(folder)).toSorted()
  const found = await Promise.all(names.map((name) => read(path.join(folder, name))))
  return found.filter((samples) => samples !== null)
}

/** One after the other, each as loud as the first. */
function join(parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  const [first = joined] = parts
  const level = rms(first)
  let at = 0
  for (const part of parts) {
    const gain = level / rms(part)
    joined.set(
      part.map((sample) => sample * gain),
      at,
    )
    at += part.length
  }
  return joined
}

const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
const seconds = (samples: Float32Array, from: number, to: number) =>
  samples.subarray(from * ANALYSIS_RATE_HZ, to * ANALYSIS_RATE_HZ)

const SPLICES: readonly ((one: Float32Array, two: Float32Array, three: Float32Array) => Float32Array[])[] = [
  (one, two) => [seconds(one, 0, 7), seconds(two, 0, 7)],
  (one, two) => [seconds(one, 0, 9), seconds(two, 0, 4)],
  (one, two) => [seconds(one, 0, 3), seconds(two, 0, 3), seconds(one, 3, 6), seconds(two, 3, 6)],
  (one, two, three) => [seconds(one, 0, 5), seconds(two, 0, 5), seconds(three, 0, 5)],
]

function report(name: string, recordings: readonly Float32Array[]): void {
  const faults = recordings.map((samples) => judgeRecordings([samples])[0]?.faults ?? [])
  const refused = new Map<string, number>()
  for (const fault of faults.flat()) refused.set(fault, (refused.get(fault) ?? 0) + 1)
  const taken = faults.filter(({ length }) => length === 0).length
  const why = [...refused].map(([fault, count]) => `${fault} ${count}`).join(', ')
  console.log(
    `| ${name} | ${recordings.length} | ${taken} | ${percent(taken / recordings.length)} | ${why} |`,
  )
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
const isOther = (one: Float32Array, other: Float32Array) =>
  judgeRecordings([one, other])[1]?.faults.includes('other_speaker') === true

const people = new Map<string, Float32Array[]>()
if (values.people !== undefined)
  for (const name of (await readdir(values.people)).toSorted()) {
    const recordings = await readAll(path.join(values.people, name))
    if (recordings.length > 0) people.set(name, recordings)
  }
const voices = [...people.values()]
  .map((recordings) => join(recordings.slice(0, 4)))
  .filter(({ length }) => length >= 9 * ANALYSIS_RATE_HZ)
console.log('| recordings | count | taken | | why not |\n| - | - | - | - | - |')
report('one person', [...people.values()].flat())
report(
  'spliced',
  Array.from({ length: SPLICED }, (_, index) => {
    const [one, two, three] = choose(voices, 3)
    const splice = SPLICES[index % SPLICES.length]
    return one && two && three && splice ? join(splice(one, two, three)) : new Float32Array()
  }),
)
report('several people', await readAll(values.several))
report('others', await readAll(values.others))

console.log('\n| second recording | pairs | taken for another speaker |\n| - | - | - |')
const same = [...people.values()].flatMap((recordings) =>
  recordings.slice(1).map((other) => [recordings[0], other] as const),
)
const different = Array.from({ length: PAIRS }, () => choose([...people.values()], 2).map(([first]) => first))
for (const [name, pairs] of Object.entries({ 'the same person': same, 'another person': different })) {
  const found = pairs.filter(([one, other]) => one && other && isOther(one, other)).length
  console.log(`| ${name} | ${pairs.length} | ${percent(found / pairs.length)} |`)
}
