import { EMOTIONS, LIMITS } from '@vaani/contracts'
import { type EngineCapabilities, SpeechError } from '@vaani/speech'
import type { StreamEncodedSpeechOptions } from '@vaani/speech/synthesis'

type Manner = Pick<StreamEncodedSpeechOptions, 'emotion' | 'speed' | 'instructions'>

/**
 * Returns how a request for hosted speech wants to be spoken: in an emotion by its name and at a usual speed, which every engine has, or in
 * the way of engines that follow more.
 *
 * @throws SpeechError `instructions_not_supported`, `rate_not_supported` if no engine here follows it, before anything is sent
 */
export function mannerOf(
  { speed, instructions }: { speed: number; instructions: string },
  engine: EngineCapabilities,
): Manner {
  if ((speed < LIMITS.speedMin || speed > LIMITS.speedMax) && engine.wideRates !== true)
    throw new SpeechError('rate_not_supported', 'No engine speaks at this rate')
  const words = instructions.trim()
  const emotion = EMOTIONS.find((name) => name === words.toLowerCase())
  if (emotion !== undefined) return { emotion, speed }
  if (words === '') return { emotion: 'neutral', speed }
  if (engine.instructions !== true)
    throw new SpeechError('instructions_not_supported', 'No engine follows instructions')
  return { emotion: 'neutral', speed, instructions: words }
}
