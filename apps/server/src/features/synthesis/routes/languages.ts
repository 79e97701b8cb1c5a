import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Contract } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { type EngineLanguage, hasTextRules, type SpeechEngine, spokenLanguages } from '@vaani/speech'
import type { SpeechPort } from '../../speech/port.ts'

/** GET /v1/engine/languages */
export function listLanguages(speech: SpeechPort): Handler<Contract['synthesis']['languages']> {
  /** What the engine speaks is listed once. */
  const listed = new WeakMap<readonly EngineLanguage[], Promise<ReturnType<typeof toEngineLanguage>[]>>()
  return async () => {
    const engine = speech.requireEngine()
    const { languages } = engine.capabilities()
    const listing = listed.get(languages) ?? list(engine)
    listed.set(languages, listing)
    return { status: 200, body: { engine: engine.id, data: await listing } }
  }
}

async function list(engine: SpeechEngine) {
  const rows = []
  for (const row of spokenLanguages(engine)) {
    rows.push(toEngineLanguage(row))
    await nextTurn()
  }
  return rows
}

const toEngineLanguage = ({ tag, quality, note, engine, voices }: EngineLanguage) => ({
  language: tag,
  quality,
  text_rules: hasTextRules(tag),
  ...(note !== undefined && { note }),
  ...(engine !== undefined && { engine }),
  ...(voices !== undefined && { voices: [...voices] }),
})
