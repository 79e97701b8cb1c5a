/** Prints the digests of its speech in several languages, which share one thread. */
import { createHash } from 'node:crypto'
import { NEUTRAL } from '@vaani/speech'
import { createEngine } from '../create-engine.ts'
import { SPOKEN } from './spoken.ts'

const engine = createEngine({ workers: 1 })
const digests: string[] = []
for (const [language, text] of SPOKEN) {
  const hash = createHash('sha256')
  for await (const chunk of engine.synthesize({ text, language, voice: 'nova', prosody: NEUTRAL }))
    hash.update(chunk)
  digests.push(hash.digest('hex'))
}
await engine.close()
process.stdout.write(digests.join())
