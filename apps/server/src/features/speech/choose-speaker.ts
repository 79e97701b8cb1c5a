import { isClonedVoiceId } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { SpeechEngine } from '@vaani/speech'
import { supportedLanguage } from '@vaani/speech'
import { withVoice } from '@vaani/speech/cloning'
import type { VoiceReader } from '../voices/port.ts'
import type { Speaker, SpeakerRequest } from './port.ts'

/**
 * Finds what speaks a request.
 *
 * @throws ApiError that names the member of the request which asks for something unknown
 */
export async function chooseSpeaker(
  { engine, voices }: { engine: SpeechEngine; voices: VoiceReader },
  request: SpeakerRequest,
): Promise<Omit<Speaker, 'lexicon' | 'pacer'>> {
  const { voice } = request
  // Report an unknown language first, whichever the voice.
  requireLanguage(engine, request)
  if (request.builtInVoices.includes(voice))
    return { engine, voice, language: requireLanguage(engine, request) }
  const cloned = isClonedVoiceId(voice) ? await voices.find(request.principal, voice) : undefined
  if (cloned === undefined)
    throw new ApiError('voice_not_found', 'voice: is neither built in nor a voice of this account', {
      param: 'voice',
    })
  const speaker = withVoice(engine, voice, cloned)
  return { engine: speaker, voice, language: requireLanguage(speaker, request) }
}

/** @throws ApiError if the engine does not speak the language */
export function requireLanguage(
  engine: SpeechEngine,
  request: Pick<SpeakerRequest, 'language'>,
): Speaker['language'] {
  const language = supportedLanguage(engine, request.language)
  if (language === undefined)
    throw new ApiError('invalid_request', 'language: is not spoken by this engine', { param: 'language' })
  return language
}
