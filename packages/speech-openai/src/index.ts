import type { SpeechEngine } from '@vaani/speech'
import { createOpenAiEngine } from './create-engine.ts'
import type { OpenAiEngineOptions } from './options.ts'

export type { OpenAiEngineOptions, RemoteLanguage } from './options.ts'

/**
 * Creates an engine that asks a server for speech by `POST {baseUrl}/audio/speech`. It sends nothing until it speaks.
 *
 * @throws EngineOptionsError that names the invalid option
 * @example
 * const engine = createEngine({
 *   baseUrl: 'https://api.openai.com/v1',
 *   apiKey: process.env.OPENAI_API_KEY,
 *   model: 'gpt-4o-mini-tts',
 *   voices: { nova: 'nova', atlas: 'onyx' },
 *   languages: ['en-US', 'hi-IN'],
 * })
 */
export const createEngine = (options: OpenAiEngineOptions): SpeechEngine => createOpenAiEngine(options)
