import { expect, test } from 'vitest'
import { checkOptions, type OpenAiEngineOptions } from './options.ts'

const OPTIONS: OpenAiEngineOptions = {
  baseUrl: 'http://127.0.0.1:8880/v1/',
  model: 'tts',
  voices: { nova: 'alloy' },
  languages: ['en-US'],
}

test('completes the address, and sends no key if there is none', () => {
  const { url, headers } = checkOptions(OPTIONS)
  expect(url).toBe('http://127.0.0.1:8880/v1/audio/speech')
  expect(headers).toEqual({ 'content-type': 'application/json' })
})

test.each<[string, Partial<OpenAiEngineOptions>]>([
  ['baseUrl', { baseUrl: 'ftp://example.com' }],
  ['baseUrl', { baseUrl: 'secret' }],
  ['baseUrl', { baseUrl: 'https://user:secret@example.com/v1' }],
  ['baseUrl', { baseUrl: 'https://example.com/v1?key=secret' }],
  ['apiKey', { apiKey: 'secret\n' }],
  ['apiKey', { apiKey: '' }],
  ['model', { model: '' }],
  ['voices', { voices: {} }],
  ['languages', { languages: [] }],
  ['languages.1.tag', { languages: ['en-US', 'secret language'] }],
  ['languages.0.voices.atlas', { languages: [{ tag: 'en-US', voices: { atlas: 'secret' } }] }],
  ['languages.0.body.input', { languages: [{ tag: 'en-US', body: { input: 'secret' } }] }],
  ['body.voice', { body: { voice: 'secret' } }],
  ['sampleRateHz', { sampleRateHz: 1 }],
  ['maxConcurrent', { maxConcurrent: 0 }],
  ['firstAudioTimeoutMs', { firstAudioTimeoutMs: Number.NaN }],
  ['chunkTimeoutMs', { chunkTimeoutMs: 0.5 }],
  ['maxRetries', { maxRetries: 11 }],
  ['maxRetryDelayMs', { maxRetryDelayMs: -1 }],
])('an invalid option is named as %s, and its value is not quoted', (field, options) => {
  const check = () => checkOptions({ ...OPTIONS, ...options })
  expect(check).toThrow(expect.objectContaining({ name: 'EngineOptionsError', field }))
  expect(check).not.toThrow('secret')
})
