import { asksForText, type ChatObject, type FormEndpoint } from '@vaani/chat'
import { type Contract, LIMITS, TRANSCRIPT_MEDIA_TYPES, TRANSCRIPTION_PARTS } from '@vaani/contracts'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import type { AnswerOf } from '@vaani/service-kit/http/ts-rest'
import type { TranscriptionContext } from '../context.ts'
import { receiveForm } from '../transcription/receive-form.ts'
import { askChat, type ChatInput, sendWhole, streamChunks } from './chat.ts'
import { requireServed } from './pass-on.ts'

type Answer = AnswerOf<Contract['models']['transcribe']>

/** POST /v1/audio/transcriptions and /v1/audio/translations */
export function passRecordingOn(
  context: TranscriptionContext,
  endpoint: FormEndpoint,
): StreamedRoute<Answer> {
  return async ({ request, reply }) => {
    const kept = new AsyncDisposableStack()
    const { fields, file, fingerprint } = kept.use(
      await receiveForm(context, request, {
        parts: TRANSCRIPTION_PARTS,
        maxBytes: LIMITS.transcriptionAudioBytes,
      }),
    )
    const { stream, ...rest } = fields
    const body = { ...rest, model: String(fields['model']) }
    return {
      fields: Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
      files: new Map([['file', { fingerprint }]]),
      async act() {
        requireServed(context, endpoint, body.model)
        const input = { body, file, endpoint, request, reply }
        if (stream !== 'true') return sendTranscript(input, await askChat(context, input))
        const answer = await streamChunks(context, input)
        // An upstream may still ask for the recording. What is left is removed at the next start.
        const sent = kept.move()
        answer.body.once('close', () => void sent.disposeAsync().catch(() => undefined))
        return answer
      },
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    }
  }
}

/** Sends a transcript in the media type of the upstream, if it is one of transcripts. */
function sendTranscript({ body, reply }: ChatInput, answer: ChatObject) {
  if (!asksForText(body)) return sendWhole(reply, answer)
  const given = String(answer['media_type']).toLowerCase()
  const type = TRANSCRIPT_MEDIA_TYPES.find((known) => given.startsWith(known)) ?? 'text/plain'
  reply.header('content-type', `${type}; charset=utf-8`)
  return { status: 200 as const, body: Buffer.from(String(answer['text'])) }
}
