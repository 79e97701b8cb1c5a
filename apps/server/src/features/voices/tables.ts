import type { Id } from '@vaani/contracts'
import type { Selectable } from 'kysely'

export interface VoiceTable {
  voice_id: string
  account_id: Id<'account'>
  livemode: boolean
  name: string
  /** Language of the recordings. */
  language: string | null
  /** `storing`: its recordings are being stored; `erased`: they are being removed, and then the row. */
  state: 'storing' | 'ready' | 'erased'
  /** Sealed; null once it is erased, which makes the voice and the recordings unreadable. */
  data_key: Buffer | null
  /** The voice as JSON, sealed under the data key. */
  voice: Buffer | null
  /** Number of recordings in the blob store. */
  recordings: number
  /** Id of the API key that confirmed that the speaker consents. */
  consent_key_id: Id<'key'>
  consented_at: Date
  created_at: Date
}

export type VoiceRow = Selectable<VoiceTable>

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    voices: VoiceTable
  }
}
