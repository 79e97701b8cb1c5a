import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { SpeechEngine } from '@vaani/speech'

const DEFAULT_ENGINE = '@vaani/speech-espeak'

/**
 * The speech engine, or null where its package is not installed: it has a licence of its own, so the server is
 * whole without it, and says 503 on what needs speech.
 */
export async function loadSpeechEngine(log: Logger): Promise<SpeechEngine | null> {
  try {
    const { createEngine } = await import(DEFAULT_ENGINE)
    return await createEngine()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      log.warn({ engine: DEFAULT_ENGINE }, 'No speech engine is installed: speech answers 503')
      return null
    }
    throw error
  }
}
