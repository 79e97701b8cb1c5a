import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { SpeechEngine } from '@vaani/speech'

const DEFAULT_ENGINE = '@vaani/speech-espeak'

/**
 * Loads the speech engine; returns null if its package is not installed. The package is optional because it has a different
 * licence. Without it, routes that need speech return 503.
 */
export async function loadSpeechEngine(log: Logger): Promise<SpeechEngine | null> {
  try {
    const { createEngine } = await import(DEFAULT_ENGINE)
    return await createEngine()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      log.warn({ engine: DEFAULT_ENGINE }, 'No speech engine is installed; speech routes return 503')
      return null
    }
    throw error
  }
}
