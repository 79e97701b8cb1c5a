import { TurnsError } from '@vaani/turns'
import { SpeechError } from '../speech-error.ts'

/** @throws SpeechError that says why a request got no place; any other error as it is */
export function explainTurns(error: unknown): never {
  if (!(error instanceof TurnsError)) throw error
  switch (error.code) {
    case 'queue_full':
    case 'too_late':
      throw new SpeechError('engine_busy', 'Too many requests wait for the engine', { cause: error })
    case 'aborted':
      throw new SpeechError('aborted', 'The request was aborted', { cause: error })
    case 'closed':
      throw new SpeechError('engine_closed', 'The engine is closed', { cause: error })
  }
}
