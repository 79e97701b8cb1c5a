import type { Contract } from '@vaani/contracts'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { AppContext } from '../../../context.ts'
import { requireEngine } from '../../speech/require-engine.ts'

/** GET /v1/engine/languages */
export function listLanguages(context: AppContext): Handler<Contract['synthesis']['languages']> {
  return async () => {
    const engine = requireEngine(context)
    const data = engine.capabilities().languages.map(({ tag, quality, note }) => ({
      language: tag,
      quality,
      ...(note !== undefined && { note }),
    }))
    return { status: 200, body: { engine: engine.id, data } }
  }
}
