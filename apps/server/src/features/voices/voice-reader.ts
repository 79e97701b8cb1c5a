import type { Db } from '@vaani/service-kit/database/connect'
import type { Tenant } from '@vaani/service-kit/tenant'
import { openDataKey } from '@vaani/service-kit/vault/data-key'
import { openText } from '@vaani/service-kit/vault/sealed-bytes'
import type { Vault } from '@vaani/service-kit/vault/vault'
import type { ParametricVoice } from '@vaani/speech/cloning'

/** Reads voices to speak with. */
export interface VoiceReader {
  /** Returns a voice of the tenant; undefined if there is none. Always read afresh, so that an erased voice is silent at once. */
  find(tenant: Tenant, voiceId: string): Promise<ParametricVoice | undefined>
}

/** What the sealed voice is bound to. */
export const placeOfVoice = (voiceId: string): string => `voices/${voiceId}/voice`

export const createVoiceReader = ({ database, vault }: { database: Db; vault: Vault }): VoiceReader => ({
  async find({ accountId, livemode }, voiceId) {
    const row = await database
      .selectFrom('voices')
      .where('voice_id', '=', voiceId)
      .where('account_id', '=', accountId)
      .where('livemode', '=', livemode)
      .where('state', '=', 'ready')
      .select(['data_key', 'voice'])
      .executeTakeFirst()
    if (!row?.data_key || !row.voice) return undefined
    const key = openDataKey(vault, voiceId, row.data_key)
    return JSON.parse(openText(row.voice, { key, place: placeOfVoice(voiceId) }))
  },
})
