import type { CheckResult } from '../check.ts'

/** Files of one verification, in the clear. */
export interface CheckFiles {
  readonly frontImage: string
  readonly backImage: string | null
  readonly livenessVideo: string
  readonly referencePortrait: string | null
}

/** What was read from a document; null where it was not. */
export interface ExtractedFields {
  readonly document_type: string | null
  readonly document_number: string | null
  readonly full_name: string | null
  readonly surname: string | null
  readonly given_names: string | null
  readonly date_of_birth: string | null
  readonly expiry_date: string | null
  readonly nationality: string | null
  readonly issuing_country: string | null
  readonly sex: string | null
  readonly mrz: { readonly format: string; readonly lines: readonly string[]; readonly valid: boolean } | null
}

export type WorkerRequest =
  /** Makes the engines, so that a wrong setting is known before the first verification. */
  | { kind: 'prepare' }
  | { kind: 'all'; files: CheckFiles; today: string }
  /** Only what is fast and may refuse a submission at once. */
  | { kind: 'recapture'; frontImage: string }

export type WorkerAnswer =
  | { kind: 'result'; result: CheckResult }
  | { kind: 'done'; extracted: ExtractedFields | null }
  /** What is wrong with an engine's setting, where that is why. */
  | { kind: 'failed'; engineProblem: string | null }
