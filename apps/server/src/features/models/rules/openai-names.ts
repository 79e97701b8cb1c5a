import type { SynthesisModel } from '@vaani/contracts'

/** Our models by the names that requests may use. */
export const MODELS: Readonly<Record<string, SynthesisModel>> = {
  'synth-v1': 'synth-v1',
  'synth-l1': 'synth-l1',
  'synth-l2': 'synth-l2',
  'tts-1-hd': 'synth-v1',
  'gpt-4o-mini-tts': 'synth-v1',
  'gpt-4o-mini-tts-2025-12-15': 'synth-v1',
  'tts-1': 'synth-l1',
}

/** Models that do not follow free instructions at OpenAI either, so that programs which send them there get the same here. */
export const IGNORING_INSTRUCTIONS: ReadonlySet<string> = new Set(['tts-1', 'tts-1-hd'])

/** Voices that stand in for OpenAI's, the best first. Each list ends with one that operators are asked to give every engine. */
const STAND_INS: Readonly<Record<string, readonly string[]>> = {
  alloy: ['default', 'nova'],
  ash: ['atlas'],
  ballad: ['alt1', 'atlas'],
  coral: ['alt2', 'nova'],
  echo: ['atlas'],
  fable: ['alt1', 'atlas'],
  nova: ['nova'],
  onyx: ['alt1', 'atlas'],
  sage: ['default', 'nova'],
  shimmer: ['alt2', 'nova'],
  verse: ['atlas'],
  marin: ['nova'],
  cedar: ['alt1', 'atlas'],
}

/**
 * Returns the voice for a requested name: the engine's own of that name, else one that stands in for OpenAI's, else the
 * name, which may be the id of a cloned voice.
 *
 * @param isSpoken whether the engine has a voice
 */
export function voiceFor(name: string, isSpoken: (voice: string) => boolean): string {
  if (isSpoken(name) || !Object.hasOwn(STAND_INS, name)) return name
  return STAND_INS[name]?.find(isSpoken) ?? name
}
