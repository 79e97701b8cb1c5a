import { KIB } from '../shared/bytes.ts'
import type { GroupDeclaration } from '../shared/group.ts'
import { perMinute } from '../shared/rates.ts'

export const synthesisGroup = {
  name: 'synthesis',
  description: 'Speech synthesis to files, streams and WebSockets.',
  limits: {
    synthesisTextCharacters: 5000,
    /**
     * Of a file. Ordinary text of 5,000 characters, calm and at half speed, takes 9 minutes in English, 47 in Chinese and 63 in
     * Japanese, whose signs are a syllable or a word each; a lexicon can make hours of it.
     */
    synthesisAudioSeconds: 4200,
    /** Text of a synthesis WebSocket that is not spoken yet, in UTF-16 units. */
    socketWaitingUnits: 16_384,
    /** One message of a client on a synthesis WebSocket. JSON may write each character as up to twelve bytes. */
    socketMessageBytes: 64 * KIB,
    /** Without a message of the client, counted from when all audio sent could have been played. */
    socketIdleSeconds: 120,
    socketSeconds: 3600,
    pitchShiftMin: -1,
    pitchShiftMax: 1,
  },
  rateLimits: {
    synthesis_high_fidelity: perMinute(50, 500),
    synthesis_light: perMinute(100, 1000),
  },
} as const satisfies GroupDeclaration
