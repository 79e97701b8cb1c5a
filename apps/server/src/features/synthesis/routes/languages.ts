import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Contract } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { type EngineLanguage, hasTextRules, spokenLanguages } from '@vaani/speech'
import type { SpeechPort } from '../../speech/port.ts'

/** GET /v1/engine/languages */
export function listLanguages(speech: SpeechPort): Handler<Contract['synthesis']['languages']> {
  return async () => {
    const engine = speech.requireEngine()
    const data = []
    for (const row of spokenLanguages(engine)) {
      data.push(toEngineLanguage(row))
      await nextTurn()
    }
    return { status: 200, body: { engine: engine.id, data } }
  }
}

const toEngineLanguage = ({ tag, quality, note, engine, voices }: EngineLanguage) => ({
  language: tag,
  quality,
  text_rules: hasTextRules(tag),
  ...(note !== undefined && { note }),
  ...(engine !== undefined && { engine }),
  ...(voices !== undefined && { voices: [...voices] }),
})
