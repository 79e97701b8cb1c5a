import { runEngineConformance } from '@vaani/speech/conformance'
import { thorough } from '@vaani/test-services/thorough'
import { createEngine } from './create-engine.ts'

for (const method of ['diphone', 'clustergen'] as const)
  runEngineConformance({
    name: `Flite, ${method}`,
    createEngine: () => createEngine({ method, workers: 2 }),
    sample: { text: 'Good morning, this is a reminder of the appointment tomorrow.', language: 'en-US' },
    hostileTextCount: thorough({ usual: 20, long: 120 }),
  })
