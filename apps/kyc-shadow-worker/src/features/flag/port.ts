import type {
  ChangeKind,
  KillSource,
  MigrationChange,
  MigrationVerdict,
  Stage,
} from '@vaani/contracts/migration'

/** The flag as this process knows it, at most half a second old. */
export interface Flag {
  readonly stage: Stage
  readonly isKilled: boolean
  readonly killSource: KillSource | null
  /** Which evidence submissions belong to from now on. */
  readonly epoch: number
  readonly evidenceSinceMs: number
  readonly revision: number
  readonly changedAtMs: number
  readonly changedBy: string
  /** `table`, or the name of the OpenFeature provider. */
  readonly source: string
}

export interface ChangeRequest {
  readonly kind: ChangeKind
  /** Stage to go to; that of now for the other kinds. */
  readonly stage?: Stage
  readonly isKilled?: boolean
  readonly reason: string
  readonly actor: string
  readonly isForced?: boolean
}

/** Why a change was refused, in a sentence for the person who asked. Nothing has changed. */
export type Refusal = { refused: string }

export interface FlagPort {
  current(): Flag
  /** Changes the flag, with the evidence of that moment in its history. Published before it returns. */
  change(request: ChangeRequest): Promise<Flag | Refusal>
  /** Newest first. */
  listChanges(page: { limit: number; cursor?: string | undefined }): Promise<MigrationChange[]>
  /** The evidence of now; at most ten seconds old. */
  verdict(): Promise<MigrationVerdict>
}
