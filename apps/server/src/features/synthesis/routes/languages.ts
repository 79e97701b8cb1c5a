import type { Contract } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { hasTextRules } from '@vaani/speech'
import type { SpeechPort } from '../../speech/port.ts'

/** GET /v1/engine/languages */
export function listLanguages(speech: SpeechPort): Handler<Contract['synthesis']['languages']> {
  return async () => {
    const engine = speech.requireEngine()
    const data = engine.capabilities().languages.map(({ tag, quality, note, engine, voices }) => ({
      language: tag,
      quality,
      text_rules: hasTextRules(tag),
      ...(note !== undefined && { note }),
      ...(engine !== undefined && { engine }),
      ...(voices !== undefined && { voices: [...voices] }),
    }))
    return { status: 200, body: { engine: engine.id, data } }
  }
}
