import type { ContractRoute } from '@vaani/contracts'
import type { VoiceRow } from './tables.ts'

type Voice = ReturnType<ContractRoute<'voices.clone'>['responses'][201]['parse']>

export const toVoice = (
  row: Pick<VoiceRow, 'voice_id' | 'livemode' | 'name' | 'language' | 'created_at'>,
): Voice => ({
  voice_id: row.voice_id,
  livemode: row.livemode,
  name: row.name,
  language: row.language,
  kind: 'parametric',
  status: 'ready',
  created_at: row.created_at.toISOString(),
})
