/** Two tones together are how many phones ring. */
const TONES_HZ = [440, 480]
const ON_SECONDS = 1
const EACH_SECONDS = 3
/** Longer than any call rings. */
const MOST_SECONDS = 60
const LOUDNESS = 0.05

/** Rings like a phone until it is disposed of. Within a click, without which browsers play nothing. */
export function startRing(): Disposable {
  const context = new AudioContext()
  const loudness = new GainNode(context, { gain: 0 })
  loudness.connect(context.destination)
  for (let at = 0; at < MOST_SECONDS; at += EACH_SECONDS) {
    loudness.gain.setValueAtTime(LOUDNESS, at)
    loudness.gain.setValueAtTime(0, at + ON_SECONDS)
  }
  for (const frequency of TONES_HZ) {
    const tone = new OscillatorNode(context, { frequency })
    tone.connect(loudness)
    tone.start()
  }
  return { [Symbol.dispose]: () => void context.close() }
}
