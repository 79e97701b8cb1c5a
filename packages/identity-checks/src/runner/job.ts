import type { AamvaFields } from '../barcode/parse-aamva.ts'
import type { CheckResult } from '../check.ts'
import type { Likeness } from '../image/likeness.ts'
import type { MediaErrorCode } from '../media/media-error.ts'
import type { Mrz } from '../mrz/parse-mrz.ts'
import type { ReadPage } from '../ocr/layout.ts'
import type { PageRequest } from '../ocr/read-page.ts'
import type { TemplateFields } from '../templates/check-template.ts'
import type { Template } from '../templates/template.ts'
import type { ProbedVideo } from '../video/probe-video.ts'
import type { StepName } from './steps.ts'
import type { takePictures, TakenPictures } from './take-pictures.ts'

/** Unencrypted files of one verification. Images should be those that `openImage` wrote, to avoid re-encoding them again. */
export interface CheckFiles {
  readonly frontImage: string
  readonly backImage: string | null
  readonly livenessVideo: string
  readonly referencePortrait: string | null
}

/** Fields read from a document; null if not read. */
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

/** What the checks of a verification read, besides their results. */
export interface ReadDocument {
  /** Null if nothing was read with certainty. */
  readonly fields: ExtractedFields | null
  /** What the front looks like; null if it could not be read in time. */
  readonly likeness: Likeness | null
}

/** Findings of a step that are needed later. */
export interface Findings {
  readonly likeness: Likeness | null
  readonly mrz: Mrz | null
  /** Whether there is a zone that was not read with certainty. */
  readonly hasUnsureZone: boolean
  /** By how much the front must be rotated clockwise to be upright; null if nothing was read that shows it. */
  readonly frontTurnDegrees: number | null
  /** Whether the zone of the front was read with certainty. */
  readonly isFrontRead: boolean
  readonly barcode: AamvaFields | null
  readonly template: TemplateFields | null
}

export const NO_FINDINGS: Findings = {
  likeness: null,
  mrz: null,
  hasUnsureZone: false,
  frontTurnDegrees: null,
  isFrontRead: false,
  barcode: null,
  template: null,
}

export interface StepInput {
  /** Differs for each verification. */
  verification: string
  files: CheckFiles
  /** YYYY-MM-DD, for comparison with the expiry date. */
  today: string
  findings: Findings
  /** Kinds of documents to read by their print, in this order. */
  templates: readonly Template[]
}

export interface StepOutput {
  results: readonly CheckResult[]
  findings?: Partial<Findings>
}

export interface WrittenImage {
  readonly width: number
  readonly height: number
  /** Size of the file. */
  readonly bytes: number
}

interface Job<Input, Output> {
  input: Input
  output: Output
}

/** All jobs of a check process. */
export type Jobs = Readonly<Record<StepName, Job<StepInput, StepOutput>>> & {
  /** Waits for the engines, so that a wrong setting is detected before the first verification. */
  readonly prepare: Job<null, null>
  /** Decodes an image and re-encodes it to another file. */
  readonly open_image: Job<{ file: string; into: string }, WrittenImage>
  /** Takes pictures for an engine on a server. */
  readonly take_pictures: Job<Parameters<typeof takePictures>[0], TakenPictures>
  readonly probe_video: Job<{ file: string }, ProbedVideo>
  /** Counts the pages of a document. */
  readonly open_document: Job<{ file: string; maxPages: number }, { pages: number }>
  readonly read_page: Job<PageRequest, ReadPage>
}
export type JobName = keyof Jobs
export type InputOf<Name extends JobName> = Jobs[Name]['input']
export type OutputOf<Name extends JobName> = Jobs[Name]['output']

/**
 * Resource limits of a job. Time is mainly CPU time instead of wall time, so that a check completes regardless of how busy the
 * machine is.
 */
export interface JobLimits {
  readonly processorMs: number
  /** Wall time after which a job that waits for something is stuck. Default 300,000. */
  readonly wallMs?: number
  /** Growth of the process while the job runs. */
  readonly memoryMb: number
}

export interface RequestOf<Name extends JobName> {
  job: Name
  input: InputOf<Name>
  limits: JobLimits
}
export type Request = { [Name in JobName]: RequestOf<Name> }[JobName]

/** End of a job, as reported by the process itself. */
export type Report<Output = unknown> =
  | { kind: 'done'; output: Output }
  /** The media is at fault. */
  | { kind: 'refused'; code: MediaErrorCode; message: string }
  | { kind: 'timed_out' }
  /** With the problem of an engine's settings, if that is the reason, or whether it exceeded its memory. */
  | { kind: 'failed'; engineProblem: string | null; isTooLarge?: true }

export type Message<Output = unknown> =
  | { kind: 'ready' }
  | { kind: 'report'; report: Report<Output>; memoryMb: number }

export type Outcome<Output = unknown> =
  | Report<Output>
  /** The process ended by itself during the job. */
  | { kind: 'crashed' }
  /** The process was killed from outside, for example by the kernel when out of memory. */
  | { kind: 'killed' }
