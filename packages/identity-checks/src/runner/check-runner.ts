import { type CheckResult, type CheckName, notRun } from '../check.ts'
import type { EngineSettings } from '../load-engines.ts'
import { MediaError } from '../media-error.ts'
import type { VideoProbe } from '../video/probe-video.ts'
import type {
  CheckFiles,
  ExtractedFields,
  Findings,
  InputOf,
  JobLimits,
  JobName,
  Outcome,
  OutputOf,
  StepInput,
  StepOutput,
  WrittenImage,
} from './job.ts'
import { limitsOf } from './limits.ts'
import { createProcessPool } from './process-pool.ts'
import { type QueueName, SharesError } from './shares.ts'
import { FINDING_STEPS, STEP_NAMES, STEPS, type StepName } from './steps.ts'
import { toFields } from './to-fields.ts'

/**
 * Runs work on people's media in processes that can be killed, and shares the processes between owners. Disposing of it ends
 * running jobs, which reject with a `CheckRunError`.
 */
export interface CheckRunner extends VideoProbe {
  /**
   * Runs all checks of a verification. A check that exceeds its time ends as `not_run` with `check_timed_out`, and one that
   * fails or crashes twice with `check_failed`. The other checks continue.
   *
   * @param options.known checks whose results are known; they are not run again
   * @param options.tell called with each result as soon as it is available
   * @throws CheckRunError `busy`, `failed`
   */
  run(options: {
    owner: string
    files: CheckFiles
    /** YYYY-MM-DD. */
    today: string
    known?: readonly CheckName[]
    tell: (result: CheckResult) => void
  }): Promise<ExtractedFields | null>
  /**
   * Loads the engines in one process, to verify their settings.
   *
   * @throws CheckRunError `engine`, whose message names the problem
   */
  prepare(): Promise<void>
  /**
   * Decodes an image and re-encodes it to another file, like the function `openImage`.
   *
   * @throws MediaError like `openImage`, and `decoding_timeout`
   * @throws CheckRunError `busy`, `failed`
   */
  openImage(options: { owner: string; file: string; into: string }): Promise<WrittenImage>
  /**
   * Runs only the check for a recapture, on one side of a document.
   *
   * @throws CheckRunError `busy`, `failed`
   */
  checkRecapture(options: { owner: string; image: string }): Promise<CheckResult>
}

/** `busy`: no place became free in time. `failed`: the process was ended from outside. Both are worth a retry. */
export class CheckRunError extends Error {
  override readonly name = 'CheckRunError'
  readonly code: 'busy' | 'failed' | 'engine'

  constructor(code: CheckRunError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Shorter for intake, because a client waits for the response to its submission. */
const MAX_WAIT_MS: Readonly<Record<QueueName, number>> = { intake: 120_000, checks: 600_000 }

export interface CheckRunnerOptions {
  /** Maximum number of processes, at least 2; ideally the number of processors. */
  places: number
  engines?: EngineSettings
  /** Overrides of the built-in limits. */
  limits?: Partial<Readonly<Record<JobName, JobLimits>>>
  /** Called when a job does not complete. */
  onTrouble?: (trouble: JobTrouble) => void
}

export interface JobTrouble {
  readonly job: JobName
  readonly end: 'timed_out' | 'failed' | 'crashed' | 'killed'
  /** The problem with an engine's settings, if that is the reason. */
  readonly engineProblem: string | null
}

/**
 * Creates a runner of checks. An owner holds at most all places but one, so that others never wait for its jobs.
 *
 * @example
 * await using runner = createCheckRunner({ places: 2 })
 */
export function createCheckRunner(options: CheckRunnerOptions): CheckRunner {
  const { places, engines = {}, limits = {}, onTrouble = () => undefined } = options
  const pool = createProcessPool({ places, engines })

  async function performOnce<Name extends JobName>(
    job: Name,
    input: InputOf<Name>,
    { owner, queue }: { owner: string; queue: QueueName },
  ): Promise<Outcome<OutputOf<Name>>> {
    const request = { job, input, limits: limits[job] ?? limitsOf(job) }
    const outcome = await pool
      .run(request, { owner, queue, maxWaitMs: MAX_WAIT_MS[queue] })
      .catch((error: unknown) => {
        if (error instanceof SharesError) throw new CheckRunError('busy', error.message, error)
        throw error
      })
    if (outcome.kind !== 'done' && outcome.kind !== 'refused')
      onTrouble({
        job,
        end: outcome.kind,
        engineProblem: outcome.kind === 'failed' ? outcome.engineProblem : null,
      })
    return outcome
  }

  /** Retries a job once if it failed or its process ended, because the cause may not have been the job. */
  async function perform<Name extends JobName>(
    job: Name,
    input: InputOf<Name>,
    share: { owner: string; queue: QueueName },
  ): Promise<Outcome<OutputOf<Name>>> {
    const outcome = await performOnce(job, input, share)
    const isOver = outcome.kind === 'done' || outcome.kind === 'refused' || outcome.kind === 'timed_out'
    return isOver ? outcome : performOnce(job, input, share)
  }

  async function performStep(
    step: StepName,
    input: StepInput,
    share: { owner: string; queue: QueueName },
  ): Promise<StepOutput> {
    const outcome = await perform(step, input, share)
    switch (outcome.kind) {
      case 'done':
        return outcome.output
      case 'timed_out':
        return { results: notRunAtAll(step, 'check_timed_out') }
      case 'refused':
      case 'failed':
      case 'crashed':
        return { results: notRunAtAll(step, 'check_failed') }
      case 'killed':
        throw new CheckRunError('failed', ENDED_FROM_OUTSIDE)
    }
  }

  /** Runs a job on new media. @throws MediaError if the media is refused */
  async function performIntake<Name extends 'open_image' | 'probe_video'>(
    job: Name,
    input: InputOf<Name>,
    owner: string,
  ): Promise<OutputOf<Name>> {
    const outcome = await perform(job, input, { owner, queue: 'intake' })
    switch (outcome.kind) {
      case 'done':
        return outcome.output
      case 'refused':
        throw new MediaError(outcome.code, outcome.message)
      case 'timed_out':
        throw new MediaError('decoding_timeout', 'is damaged or too complex: it could not be read in time')
      case 'crashed':
        throw new MediaError('damaged', 'is damaged or incomplete')
      // For example, a full disk.
      case 'failed':
      case 'killed':
        throw new CheckRunError('failed', ENDED_FROM_OUTSIDE)
    }
  }

  return {
    async prepare() {
      const outcome = await performOnce('prepare', null, { owner: '', queue: 'intake' })
      if (outcome.kind === 'done') return
      throw outcome.kind === 'failed' && outcome.engineProblem !== null
        ? new CheckRunError('engine', outcome.engineProblem)
        : new CheckRunError('failed', 'The engines could not be loaded')
    },
    async run({ owner, files, today, known = [], tell }) {
      let findings: Findings = { mrz: null, barcode: null }
      for (const step of STEP_NAMES) {
        if (!FINDING_STEPS.has(step) && STEPS[step].every((check) => known.includes(check))) continue
        const output = await performStep(step, { files, today, findings }, { owner, queue: 'checks' })
        findings = { ...findings, ...output.findings }
        for (const result of output.results) tell(result)
      }
      return toFields(findings)
    },
    openImage: ({ owner, file, into }) => performIntake('open_image', { file, into }, owner),
    probe: (file, { owner = '' } = {}) => performIntake('probe_video', { file }, owner),
    async checkRecapture({ owner, image }) {
      const files = { frontImage: image, backImage: null, livenessVideo: '', referencePortrait: null }
      const input: StepInput = { files, today: '', findings: { mrz: null, barcode: null } }
      const { results } = await performStep('document_recapture', input, { owner, queue: 'intake' })
      const [result = notRun('document_recapture', 'check_failed')] = results
      return result
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

const ENDED_FROM_OUTSIDE = 'The job was ended by an external cause'

const notRunAtAll = (step: StepName, code: string): CheckResult[] =>
  STEPS[step].map((check) => notRun(check, code))
