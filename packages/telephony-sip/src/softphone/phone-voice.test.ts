import { expect, test } from 'vitest'
import { createPhoneVoice } from './phone-voice.ts'

const FRAME_SAMPLES = 160
const loud = () => new Int16Array(FRAME_SAMPLES).fill(5000)
const silence = () => new Int16Array(FRAME_SAMPLES)
const frames = <Frame>(length: number, frame: Frame) => Array.from({ length }, () => frame)

test('a phone without a behaviour says nothing, and never hangs up', () => {
  const voice = createPhoneVoice({}, 8000)
  for (let frame = 0; frame < 100; frame += 1) {
    expect(voice.say()).toBeNull()
    expect(voice.hear(loud())).toBe(false)
  }
})

test('an echo is the last frame that was heard', () => {
  const voice = createPhoneVoice({ echoes: true }, 8000)
  expect(voice.say()).toBeNull()
  voice.hear(loud())
  expect(voice.say()).toEqual(loud())
  voice.hear(silence())
  expect(voice.say()).toEqual(silence())
})

test('voicemail is silent after its beep, to the frame', () => {
  const voice = createPhoneVoice({ greets: { greetingMs: 100, beepMs: 40 } }, 8000)
  const said = Array.from({ length: 10 }, () => voice.say()?.length)
  expect(said).toEqual([...frames(7, FRAME_SAMPLES), ...frames(3, undefined)])
})

test('only sound counts towards an interruption', () => {
  const voice = createPhoneVoice({ interrupts: { afterHearingMs: 60 } }, 8000)
  const hangsUp = [loud(), silence(), silence(), loud(), silence(), loud()].map((frame) => voice.hear(frame))
  expect(hangsUp).toEqual([false, false, false, false, false, true])
})
