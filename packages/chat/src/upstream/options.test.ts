import { expect, test } from 'vitest'
import { checkOptions, type UpstreamOptions } from './options.ts'

const OPTIONS: UpstreamOptions = { baseUrl: 'http://127.0.0.1:8000/v1/', models: ['m', 'm'] }

test('completes the address, and sends no key if there is none', () => {
  const { origin, basePath, headers, models } = checkOptions(OPTIONS)
  expect(origin + basePath).toBe('http://127.0.0.1:8000/v1')
  expect(headers).toEqual({})
  expect(models).toEqual(['m'])
})

test.each<[string, Partial<UpstreamOptions>]>([
  ['baseUrl', { baseUrl: 'ftp://example.com' }],
  ['baseUrl', { baseUrl: 'secret' }],
  ['baseUrl', { baseUrl: 'https://user:secret@example.com/v1' }],
  ['baseUrl', { baseUrl: 'https://example.com/v1?key=secret' }],
  ['apiKey', { apiKey: 'secret\n' }],
  ['apiKey', { apiKey: '' }],
  ['models', { models: [] }],
  ['models.1', { models: ['m', ''] }],
  ['endpoints.embeddings.0', { endpoints: { embeddings: [''] } }],
  ['maxConcurrent', { maxConcurrent: 0 }],
  ['firstChunkTimeoutMs', { firstChunkTimeoutMs: Number.NaN }],
  ['chunkTimeoutMs', { chunkTimeoutMs: 0.5 }],
  ['answerTimeoutMs', { answerTimeoutMs: -1 }],
  ['maxRetries', { maxRetries: 11 }],
  ['maxRetryDelayMs', { maxRetryDelayMs: -1 }],
  ['maxAnswerBytes', { maxAnswerBytes: 1 }],
  ['maxEventBytes', { maxEventBytes: 1 }],
])('an invalid option is named as %s, and its value is not quoted', (field, options) => {
  const check = () => checkOptions({ ...OPTIONS, ...options })
  expect(check).toThrow(expect.objectContaining({ name: 'ChatOptionsError', field }))
  expect(check).not.toThrow('secret')
})

test('all invalid options are named at once', () => {
  const options = { ...OPTIONS, baseUrl: 'x', models: [''], maxRetries: -1, maxConcurrent: 0 }
  expect(() => checkOptions(options)).toThrow(
    expect.objectContaining({
      field: 'models.0',
      message: [
        'models.0 must have 1 to 200 characters',
        'baseUrl must be an http(s) URL',
        'maxConcurrent must be a whole number from 1 to 100000',
        'maxRetries must be a whole number from 0 to 10',
      ].join('; '),
    }),
  )
})
