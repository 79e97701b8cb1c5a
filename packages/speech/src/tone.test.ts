import { runEngineConformance } from './conformance/index.ts'
import { createToneEngine } from './tone.ts'

runEngineConformance({
  name: 'the tone',
  createEngine: () => createToneEngine(),
  sample: { text: 'A sentence of some seconds, for a tone.', language: 'en-US' },
})
