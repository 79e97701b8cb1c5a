import { expect, test } from 'vitest'
import * as engineKit from './engine-kit/engine-options-error.ts'
import * as speech from './speech-error.ts'

test('errors of another copy of the package are recognised, and no others', async () => {
  const copyOf = (file: string) => import(`${file}?other-copy`)
  const other: typeof speech = await copyOf('./speech-error.ts')
  const otherKit: typeof engineKit = await copyOf('./engine-kit/engine-options-error.ts')
  expect(other.SpeechError).not.toBe(speech.SpeechError)
  const error = new other.SpeechError('text_refused', 'No')
  expect(error).toBeInstanceOf(speech.SpeechError)
  expect(error).not.toBeInstanceOf(engineKit.EngineOptionsError)
  expect(new otherKit.EngineOptionsError('a', 'b')).toBeInstanceOf(engineKit.EngineOptionsError)
  expect(new Error('No')).not.toBeInstanceOf(speech.SpeechError)
})
