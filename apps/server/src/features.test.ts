import { CheckRunError } from '@vaani/identity-checks'
import { BlobError } from '@vaani/service-kit/blobs/blob-store'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { toApiError } from '@vaani/service-kit/http/refusals/handle-errors'
import { SpeechError } from '@vaani/speech'
import { CarrierError } from '@vaani/telephony'
import { expect, test } from 'vitest'
import { features } from './features.ts'

test.each([
  [new SpeechError('language_not_supported', ''), 400, 'invalid_request', undefined],
  [new SpeechError('instructions_not_supported', ''), 400, 'invalid_request', undefined],
  [new SpeechError('rate_not_supported', ''), 400, 'invalid_request', undefined],
  [new SpeechError('voice_not_found', ''), 422, 'voice_not_found', undefined],
  [new SpeechError('engine_busy', ''), 503, 'service_unavailable', 5],
  [new SpeechError('engine_busy', '', { retryAfterMs: 1001 }), 503, 'service_unavailable', 2],
  [new SpeechError('text_refused', ''), 400, 'invalid_request', undefined],
  [new SpeechError('engine_closed', ''), 503, 'service_unavailable', 5],
  [new SpeechError('engine_failed', ''), 500, 'internal_error', undefined],
  [new SpeechError('aborted', ''), 400, 'invalid_request', undefined],
  [new CheckRunError('busy', ''), 503, 'service_unavailable', 5],
  [new CheckRunError('failed', ''), 500, 'internal_error', undefined],
  [new CheckRunError('engine', ''), 500, 'internal_error', undefined],
  [new CheckRunError('aborted', ''), 400, 'invalid_request', undefined],
  [new BlobError('not_found', ''), 500, 'internal_error', undefined],
  [new BlobError('too_large', ''), 500, 'internal_error', undefined],
  [new BlobError('invalid_key', ''), 500, 'internal_error', undefined],
  [new CarrierError('carrier_closed', ''), 503, 'service_unavailable', 5],
  [new CarrierError('invalid_number', ''), 500, 'internal_error', undefined],
  [Object.assign(new Error(), { code: 'FST_ANY', statusCode: 413 }), 413, 'payload_too_large', undefined],
  [Object.assign(new Error(), { code: 'FST_ANY', statusCode: 400 }), 400, 'invalid_request', undefined],
  [Object.assign(new Error(), { statusCode: 418 }), 500, 'internal_error', undefined],
  [new Error('secret-value'), 500, 'internal_error', undefined],
  ['secret-value', 500, 'internal_error', undefined],
] as const)('%s is %d %s', (error, status, code, retryAfterSeconds) => {
  const apiError = toApiError(error, features.translate)
  expect(apiError).toMatchObject({ status, code, retryAfterSeconds })
  expect(JSON.stringify(apiError.toBody('req_1'))).not.toContain('secret-value')
})

test('an ApiError stays unchanged', () => {
  const error = new ApiError('state_conflict', 'Too late')
  expect(toApiError(error, features.translate)).toBe(error)
})
