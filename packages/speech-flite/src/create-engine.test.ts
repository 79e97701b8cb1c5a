import { runEngineConformance } from '@vaani/speech/conformance'
import { createEngine } from './create-engine.ts'

for (const method of ['diphone', 'clustergen'] as const)
  runEngineConformance({
    name: `Flite, ${method}`,
    createEngine: () => createEngine({ method, workers: 2 }),
    sample: { text: 'Good morning, this is a reminder of the appointment tomorrow.', language: 'en-US' },
  })
