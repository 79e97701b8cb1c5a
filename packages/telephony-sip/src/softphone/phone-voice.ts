import { FRAME_DURATION_MS } from '@vaani/telephony'
import type { PhoneBehaviour } from './simulator-numbers.ts'

/** What a phone says, and what it makes of what it hears, frame by frame since the answer. */
export interface PhoneVoice {
  /** Returns the next frame that it says; null for silence. Valid until the next call. */
  say(): Int16Array | null
  /** Takes the frame that it heard meanwhile. Returns whether it hangs up now. */
  hear(frame: Int16Array): boolean
}

/** A hum of a low voice that swells four times a second, as syllables do. */
const HUM_HZ = 160
const SYLLABLE_HZ = 4
const BEEP_HZ = 1000
const AMPLITUDE = 8000
/** Level of samples that counts as sound: comfort noise and the error of a codec are below. */
const SOUND = 500

/** Creates the voice of a call at the answer. */
export function createPhoneVoice(behaviour: PhoneBehaviour, sampleRateHz: number): PhoneVoice {
  const { echoes, greets, interrupts } = behaviour
  const frame = new Int16Array((sampleRateHz * FRAME_DURATION_MS) / 1000)
  let said = 0
  let heardSoundMs = 0
  let hasHeard = false

  const wave = (hertz: number, sample: number) => Math.sin((2 * Math.PI * hertz * sample) / sampleRateHz)
  const hum = (sample: number) => (AMPLITUDE * wave(HUM_HZ, sample) * (1 - wave(SYLLABLE_HZ, sample))) / 2
  const beep = (sample: number) => AMPLITUDE * wave(BEEP_HZ, sample)
  const soundAt = (atMs: number) => {
    if (greets === undefined) return undefined
    if (atMs < greets.greetingMs) return hum
    return atMs < greets.greetingMs + greets.beepMs ? beep : undefined
  }
  const play = (sound: (sample: number) => number) => {
    const start = said * frame.length
    for (let index = 0; index < frame.length; index += 1) frame[index] = sound(start + index)
    return frame
  }

  return {
    say() {
      const atMs = said * FRAME_DURATION_MS
      const sound = soundAt(atMs)
      const saying = sound ? play(sound) : echoes && hasHeard ? frame : null
      said += 1
      return saying
    },
    hear(heard) {
      hasHeard = true
      if (echoes) frame.set(heard)
      if (interrupts && heard.some((sample) => Math.abs(sample) > SOUND)) heardSoundMs += FRAME_DURATION_MS
      return interrupts !== undefined && heardSoundMs >= interrupts.afterHearingMs
    },
  }
}
