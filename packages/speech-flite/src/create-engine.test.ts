import { runEngineConformance } from '@vaani/speech/conformance'
import { createEngine } from './create-engine.ts'

runEngineConformance({
  name: 'Flite',
  createEngine: () => createEngine({ workers: 2 }),
  sample: { text: 'Good morning, this is a reminder of the appointment tomorrow.', language: 'en-US' },
})
