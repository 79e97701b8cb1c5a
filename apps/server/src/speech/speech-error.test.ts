import { SpeechError, type SpeechErrorCode } from '@vaani/speech'
import { expect, test } from 'vitest'
import { toSpeechApiError } from './speech-error.ts'

test.each<[SpeechErrorCode, object]>([
  ['language_not_supported', { status: 400, code: 'invalid_request', param: 'language' }],
  ['voice_not_found', { status: 422, code: 'voice_not_found', param: 'voice' }],
  ['engine_busy', { status: 503, code: 'service_unavailable', retryAfterSeconds: 5 }],
  ['engine_closed', { status: 503, code: 'service_unavailable', retryAfterSeconds: 5 }],
])('%s has an answer of its own', (code, answer) => {
  expect(toSpeechApiError(new SpeechError(code, 'x'))).toMatchObject(answer)
})

test('what is our fault stays what it is', () => {
  for (const error of [
    new SpeechError('engine_failed', 'x'),
    new SpeechError('aborted', 'x'),
    new Error('x'),
  ])
    expect(toSpeechApiError(error)).toBe(error)
})
