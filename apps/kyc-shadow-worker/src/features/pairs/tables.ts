import type { ScoreName } from '@vaani/contracts'
import type {
  FieldClass,
  FieldName,
  KycVersion,
  PairKind,
  PairOutcome,
  Severity,
  Stage,
} from '@vaani/contracts/migration'
import type { Json } from '@vaani/service-kit/database/connect'
import type { Selectable } from 'kysely'
import type { NotSentReason, PairState } from './rules/pair-state.ts'

export interface PairTable {
  pair_id: string
  kind: PairKind
  stage: Stage
  /** Evidence that it belongs to. */
  epoch: number
  answered_by: KycVersion
  received_at: Date
  ended_at: Date | null
  outcome: PairOutcome
  not_sent: NotSentReason | null
  sides: Json<PairState['sides']>
  /** The ids in `sides`, for callbacks that name only them. */
  v1_id: string | null
  v2_id: string | null
  /** When it is to be looked at next; null once it ended. */
  next_at: Date | null
  /** When its next submission is due; null once none is left. */
  send_at: Date | null
  /** The worker that sends it. */
  worker_id: string | null
  /** UTC day whose budget it used, so that it uses one once. */
  budget_day: string | null
  /** Sealed: what was read of the first side, until the second is read as well. */
  read_values: Buffer | null
  severity: Severity | null
  differs_in_code: boolean
  differing_scores: Json<ScoreName[]>
  fields: Json<Partial<Record<FieldName, FieldClass>>>
  acknowledged_at: Date | null
  note: string | null
}

export type PairRow = Selectable<PairTable>

/** Submissions to the shadow by UTC day. */
export interface ShadowBudgetTable {
  day: string
  sent: number
}

/** Callbacks that a check of the deployments waits for. */
export interface CallbackCheckTable {
  check_id: string
  created_at: Date
  /** How it came; null until then. */
  arrival: Arrival | null
}

/** Whether the signature of a callback is genuine. */
export type Arrival = 'genuine' | 'forged'

declare module '@vaani/service-kit/database/connect' {
  interface Tables {
    pairs: PairTable
    shadow_budgets: ShadowBudgetTable
    callback_checks: CallbackCheckTable
  }
}
