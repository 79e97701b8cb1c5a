import { principalOf } from '@vaani/service-kit/http/authorize'
import { createLiveSpeech } from '@vaani/speech'
import { describeStream } from './answer-stream.ts'
import type { LiveAnswer, LiveRequest, SpeechPort } from './port.ts'

/** Opens speech of a text that is still being written. */
export async function openLive(
  { chooseSpeaker, explain }: Pick<SpeechPort, 'chooseSpeaker' | 'explain'>,
  { request, reply, body, builtInVoices, model }: LiveRequest,
): Promise<LiveAnswer> {
  const principal = principalOf(request)
  const { language, ...speaker } = await chooseSpeaker({
    principal,
    language: body.language,
    voice: body.voice,
    builtInVoices,
  })
  const speech = createLiveSpeech({
    ...speaker,
    language: language.tag,
    markup: body.markup,
    emotion: body.emotion,
    speed: body.speed,
    tenant: principal.accountId,
    ...(model !== undefined && { model }),
  })
  const firstByteMs = Math.round(reply.elapsedTime)
  return {
    speech,
    descriptor: describeStream({ requestId: request.id, firstByteMs, language, body }),
    explain,
  }
}
