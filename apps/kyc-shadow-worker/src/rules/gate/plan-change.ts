import type { Advice, ChangeKind, Stage } from '@vaani/contracts/migration'
import { stageOnRollback } from '../stages/stages.ts'
import { judgeChange } from './judge-change.ts'

/** The flag as it is stored. */
export interface FlagState {
  readonly stage: Stage
  /** Position of the switch of the API. */
  readonly isKilled: boolean
  /** What the OpenFeature provider said last; null before. */
  readonly providerStage: Stage | null
  readonly providerIsKilled: boolean
  readonly epoch: number
}

export interface ChangeWish {
  readonly kind: ChangeKind
  /** Stage to go to, for the kind `stage`. */
  readonly stage?: Stage
  /** Position of the switch, for the kind `kill_switch`. */
  readonly isKilled?: boolean
  readonly isForced?: boolean
  /** Whether the OpenFeature provider wishes it. Its stage and its switch are kept apart from those of the API. */
  readonly isOfProvider?: boolean
}

export type ChangePlan =
  | { readonly type: 'refused'; readonly because: string }
  /** It is so already. A provider's stage is still kept, so that only its next change counts. */
  | { readonly type: 'nothing'; readonly next: FlagState }
  | { readonly type: 'change'; readonly next: FlagState; readonly isForced: boolean }

/** Plans what a change does to the flag, given the evidence of that moment. */
export function planChange(
  state: FlagState,
  wish: ChangeWish,
  verdict: { readonly advice: Advice; readonly because: string },
): ChangePlan {
  switch (wish.kind) {
    case 'stage': {
      const { stage = state.stage, isForced = false, isOfProvider = false } = wish
      // Another process has followed the provider already, and the gate may have rolled back since.
      if (isOfProvider && stage === state.providerStage) return { type: 'nothing', next: state }
      const next = { ...state, stage, ...(isOfProvider && { providerStage: stage }) }
      if (stage === state.stage) return { type: 'nothing', next }
      const because = judgeChange({ from: state.stage, to: stage }, verdict)
      if (because === null) return { type: 'change', next, isForced: false }
      if (!isForced) return { type: 'refused', because }
      // The person has answered for the evidence so far. The gate would roll back on it at once.
      const epoch = verdict.advice === 'roll_back' ? state.epoch + 1 : state.epoch
      return { type: 'change', next: { ...next, epoch }, isForced: true }
    }
    case 'rollback': {
      const stage = stageOnRollback(state.stage)
      if (stage === state.stage) return { type: 'nothing', next: state }
      return { type: 'change', next: { ...state, stage, epoch: state.epoch + 1 }, isForced: false }
    }
    case 'kill_switch': {
      const { isKilled = false, isOfProvider = false } = wish
      const wasKilled = isOfProvider ? state.providerIsKilled : state.isKilled
      if (isKilled === wasKilled) return { type: 'nothing', next: state }
      const next = { ...state, ...(isOfProvider ? { providerIsKilled: isKilled } : { isKilled }) }
      return { type: 'change', next, isForced: false }
    }
    case 'evidence_restart':
      return { type: 'change', next: { ...state, epoch: state.epoch + 1 }, isForced: false }
  }
}
