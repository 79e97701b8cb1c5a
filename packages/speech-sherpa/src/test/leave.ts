/** Speaks with an engine, prints the id of its process, and leaves without closing it. */
import { NEUTRAL } from '@vaani/speech'
import { createEngine } from '../create-engine.ts'
import { children } from './children.ts'
import { TOY } from './toy.ts'

const engine = await createEngine(TOY)
for await (const _ of engine.synthesize({
  text: 'Hello',
  voice: 'nova',
  language: 'en-US',
  prosody: NEUTRAL,
}))
  continue
process.stdout.write(String(children.at(-1)?.pid))
