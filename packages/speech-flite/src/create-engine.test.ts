import { runEngineConformance } from '@vaani/speech/conformance'
import { thorough } from '@vaani/test-services/thorough'
import { createEngine } from './create-engine.ts'

/** Both methods read texts by the same code, so usually one of them is told all the commands. */
const FEW = { diphone: 64, clustergen: 8 } as const

for (const method of ['diphone', 'clustergen'] as const)
  runEngineConformance({
    name: `Flite, ${method}`,
    createEngine: () => createEngine({ method, workers: 2 }),
    sample: { text: 'Good morning, this is a reminder of the appointment tomorrow.', language: 'en-US' },
    hostileTextCount: thorough({ usual: FEW[method], long: 184 }),
  })
