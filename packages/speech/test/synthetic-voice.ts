import { seededRandom } from './seeded-random.ts'

/** Formants of four vowels in hertz (Peterson and Barney 1952), and three higher ones that all share. */
const VOWELS = [
  [270, 2290, 3010],
  [730, 1090, 2440],
  [300, 870, 2240],
  [530, 1840, 2480],
]
const HIGHER = [3500, 4500, 5500, 6500]

/** Returns something like speech: pulses at a gliding pitch and breath, through the formants of vowels that change 5 times a second. */
export function synthesizeVoice(options: {
  seconds: number
  sampleRateHz: number
  seed?: number
}): Float32Array {
  const { seconds, sampleRateHz, seed = 1 } = options
  const random = seededRandom(seed)
  const formants = Array.from({ length: 3 + HIGHER.length }, () => ({
    hz: 500,
    targetHz: 500,
    last: 0,
    before: 0,
  }))
  let phase = 0
  let level = 0
  let targetLevel = 0
  return Float32Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, index) => {
    if (index % Math.round(sampleRateHz / 5) === 0) {
      const vowel = VOWELS[Math.floor(random() * VOWELS.length)] ?? []
      targetLevel = random() < 0.1 ? 0 : 0.3 + random()
      for (const [order, formant] of formants.entries())
        formant.targetHz = (vowel[order] ?? HIGHER[order - 3] ?? 0) * (0.95 + random() / 10)
    }
    const pitchHz = 120 + 25 * Math.sin((2 * Math.PI * index) / sampleRateHz / 1.7)
    phase += pitchHz / sampleRateHz
    level += (targetLevel - level) * (30 / sampleRateHz)
    const source = level * ((phase >= 1 ? 1 : 0) + 0.05 * (random() - 0.5))
    phase %= 1
    let sum = 0
    for (const formant of formants) {
      formant.hz += (formant.targetHz - formant.hz) * (30 / sampleRateHz)
      if (formant.hz > 0.45 * sampleRateHz) continue
      const decay = Math.exp((-Math.PI * 90) / sampleRateHz)
      const turn = 2 * decay * Math.cos((2 * Math.PI * formant.hz) / sampleRateHz)
      const value = source + turn * formant.last - decay * decay * formant.before
      formant.before = formant.last
      formant.last = value
      sum += value / (1 + formant.hz / 500)
    }
    return 0.03 * sum
  })
}
