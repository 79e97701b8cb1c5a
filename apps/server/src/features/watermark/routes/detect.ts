import { LIMITS, type WatermarkDetection } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { disconnectSignal } from '@vaani/service-kit/http/connection/disconnect'
import type { StreamedRoute } from '@vaani/service-kit/http/body/streamed-route'
import { AudioError } from '@vaani/speech/decode-audio'
import type { RecordingSearch } from '@vaani/speech/detection'
import type { WatermarkContext } from '../context.ts'
import { receiveRecording } from '../receive-recording.ts'
import { chooseDetection } from '../rules/choose-detection.ts'

type Answer = { status: 200; body: WatermarkDetection }

/** POST /v1/engine/watermark/detect */
export function detectWatermark(context: WatermarkContext): StreamedRoute<Answer> {
  return async ({ request, reply }) => {
    const principal = principalOf(request)
    const signal = disconnectSignal(reply)
    const recording = await receiveRecording(context, request)
    return {
      fields: {},
      files: new Map([['audio', recording]]),
      async act() {
        const { durationSeconds, detections } = await search(context, {
          file: recording.file,
          tenant: principal.accountId,
          signal,
        })
        const { isPresent, falseAlarmProbability, payload, speed } = chooseDetection(detections)
        const marked = payload === null ? undefined : await context.store.find(principal, payload)
        return {
          status: 200,
          body: {
            detected: isPresent,
            false_alarm_probability: falseAlarmProbability,
            payload_read: payload !== null,
            request_id: marked?.request_id ?? null,
            created_at: marked?.created_at.toISOString() ?? null,
            speed,
            duration_seconds: Math.round(durationSeconds * 1000) / 1000,
          },
        }
      },
      [Symbol.asyncDispose]: () => recording[Symbol.asyncDispose](),
    }
  }
}

/** @throws ApiError `media_unreadable` if the file cannot be decoded */
async function search(
  { detections, keys }: WatermarkContext,
  request: { file: string; tenant: string; signal: AbortSignal },
): Promise<RecordingSearch> {
  try {
    return await detections.search({ ...request, keys, maxSeconds: LIMITS.watermarkAudioSeconds })
  } catch (error) {
    if (!(error instanceof AudioError)) throw error
    throw new ApiError('media_unreadable', `audio: ${error.message}`, { param: 'audio', cause: error })
  }
}
