import { EMOTIONS, LIMITS } from '@vaani/contracts'
import { type EngineCapabilities, SpeechError } from '@vaani/speech'
import type { StreamEncodedSpeechOptions } from '@vaani/speech/synthesis'
import { IGNORING_INSTRUCTIONS } from './openai-names.ts'

interface Manner {
  manner: Pick<StreamEncodedSpeechOptions, 'emotion' | 'speed' | 'instructions'>
  /** Whether the model has instructions that it does not follow, as at OpenAI. */
  ignoresInstructions: boolean
}

/**
 * Returns how a request for hosted speech wants to be spoken: in an emotion by its name and at a usual speed, which every engine has, or in
 * the way of engines that follow more.
 *
 * @throws SpeechError `instructions_not_supported`, `rate_not_supported` if no engine here follows it, before anything is sent
 */
export function mannerOf(
  { model, speed, instructions }: { model: string; speed: number; instructions: string },
  engine: EngineCapabilities,
): Manner {
  if ((speed < LIMITS.speedMin || speed > LIMITS.speedMax) && engine.wideRates !== true)
    throw new SpeechError('rate_not_supported', 'No engine speaks at this rate')
  const words = instructions.trim()
  const emotion = EMOTIONS.find((name) => name === words.toLowerCase())
  if (emotion !== undefined || words === '')
    return { manner: { emotion: emotion ?? 'neutral', speed }, ignoresInstructions: false }
  if (IGNORING_INSTRUCTIONS.has(model))
    return { manner: { emotion: 'neutral', speed }, ignoresInstructions: true }
  if (engine.instructions !== true)
    throw new SpeechError('instructions_not_supported', 'No engine follows instructions')
  return { manner: { emotion: 'neutral', speed, instructions: words }, ignoresInstructions: false }
}
