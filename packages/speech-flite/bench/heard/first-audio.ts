import { setTimeout as sleep } from 'node:timers/promises'
import { NEUTRAL, type SpeechEngine } from '@vaani/speech'

const ROUNDS = 40
const TEXTS = [
  'Good morning, this is a reminder of the appointment tomorrow.',
  'Your letter has arrived at the office on the second floor.',
]

/** Returns the milliseconds from a request to its first chunk, of streams that begin together, in order. */
export async function measureFirstAudio(
  engine: SpeechEngine,
  voice: string,
  together: number,
): Promise<number[]> {
  const times: number[] = []
  const say = async (text: string): Promise<void> => {
    const start = performance.now()
    let isFirst = true
    const request = { text, language: 'en-US', voice, prosody: NEUTRAL }
    for await (const _ of engine.synthesize(request, { priority: 'first' })) {
      if (isFirst) times.push(performance.now() - start)
      isFirst = false
    }
  }
  for (const text of TEXTS) await say(text)
  times.length = 0
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: together }, (_, index) => say(TEXTS[(round + index) % 2] ?? '')))
    await sleep(10)
  }
  return times.toSorted((one, other) => one - other)
}
