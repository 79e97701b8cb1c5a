import { expect, test } from 'vitest'
import { readVoiceRequest } from './voice-request.ts'

const described = { sha256: 'a'.repeat(64), family: 'vits', languages: 'sw-KE,en-US', speakers: '0,1' }

test.each<[string, string, Record<string, string>]>([
  ['nothing', 'toy is not one of kokoro-en', {}],
  ['no checksum', '--sha256 is missing', { from: 'a', family: 'vits', languages: 'en-US' }],
  ['an unknown family', '--family', { ...described, from: 'a', family: 'matcha' }],
  ['no region', '--languages must be tags', { ...described, from: 'a', languages: 'en' }],
  ['one speaker', '--speakers must be', { ...described, from: 'a', speakers: '1' }],
  ['a file as a URL', '--url must be an http(s) URL', { ...described, url: 'file:///a' }],
  ['an invalid URL', '--url must be an http(s) URL', { ...described, url: 'http://[x' }],
  ['a password', 'without a user name or a password', { ...described, url: 'http://user:s3cret@host/a' }],
  ['a user name', 'without a user name or a password', { ...described, url: 'http://user@host/a' }],
  ['a URL and a file', 'either --from or --url', { ...described, url: 'http://host/a', from: 'a' }],
])('a description with %s is refused', (_, problem, options) => {
  expect(() => readVoiceRequest('toy', options)).toThrow(problem)
})

test('a password is not repeated', () => {
  const act = () => readVoiceRequest('toy', { ...described, url: 'http://user:s3cret@host/a?token=abc' })
  expect(act).not.toThrow(/s3cret|abc/)
})

test.each([
  ['packages', 'packages is the folder of sherpa-onnx'],
  ['7', 'a name must'],
  ['007', 'a name must'],
  ['.', 'a name must'],
  ['..', 'a name must'],
  ['.adding', 'a name must'],
])('the name %s is refused', (name, problem) => {
  expect(() => readVoiceRequest(name, { ...described, from: 'a' })).toThrow(problem)
})

test('a known voice takes another address or a file, and no other description', () => {
  expect(readVoiceRequest('kokoro-en', {}).source).toEqual({ url: expect.stringMatching(/kokoro-en-v0_19/) })
  const source = { url: 'https://mirror.example.com/a' }
  expect(readVoiceRequest('kokoro-en', source)).toMatchObject({ source, maxBytes: 320e6 })
  expect(readVoiceRequest('kokoro-en', { from: 'a' }).source).toEqual({ file: 'a' })
  expect(() => readVoiceRequest('kokoro-en', { family: 'vits' })).toThrow('leave out --family')
  expect(() => readVoiceRequest('kokoro-en', { ...source, from: 'a' })).toThrow('either --from or --url')
})
