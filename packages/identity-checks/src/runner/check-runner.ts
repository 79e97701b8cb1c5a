import { type CheckResult, type CheckName, notRun } from '../check.ts'
import type { EngineSettings } from '../load-engines.ts'
import type { VideoProbe } from '../video/probe-video.ts'
import {
  type CheckFiles,
  type Findings,
  type JobLimits,
  type JobName,
  NO_FINDINGS,
  type ReadDocument,
  type StepInput,
  type StepOutput,
  type WrittenImage,
} from './job.ts'
import { CheckRunError, createJobRunner, ENDED_FROM_OUTSIDE, type JobTrouble } from './job-runner.ts'
import type { QueueName } from './shares.ts'
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
   * @returns what was read from the document
   * @throws CheckRunError `busy`, `failed`
   */
  run(options: {
    owner: string
    files: CheckFiles
    /** YYYY-MM-DD. */
    today: string
    known?: readonly CheckName[]
    tell: (result: CheckResult) => void
  }): Promise<ReadDocument>
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

export interface CheckRunnerOptions {
  /** Maximum number of processes, at least 2; ideally the number of processors. */
  places: number
  engines?: EngineSettings
  /** Overrides of the built-in limits. */
  limits?: Partial<Readonly<Record<JobName, JobLimits>>>
  /** Called when a job does not complete. */
  onTrouble?: (trouble: JobTrouble) => void
}

/**
 * Creates a runner of checks. An owner holds at most all places but one, so that others never wait for its jobs.
 *
 * @example
 * await using runner = createCheckRunner({ places: 2 })
 */
export function createCheckRunner(options: CheckRunnerOptions): CheckRunner {
  const { places, engines = {}, limits = {}, onTrouble = () => undefined } = options
  const jobs = createJobRunner({ places, engines, limits, onTrouble })

  async function performStep(
    step: StepName,
    input: StepInput,
    share: { owner: string; queue: QueueName },
  ): Promise<StepOutput> {
    const outcome = await jobs.perform(step, input, share)
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

  return {
    async prepare() {
      const outcome = await jobs.performOnce('prepare', null, { owner: '', queue: 'intake' })
      if (outcome.kind === 'done') return
      throw outcome.kind === 'failed' && outcome.engineProblem !== null
        ? new CheckRunError('engine', outcome.engineProblem)
        : new CheckRunError('failed', 'The engines could not be loaded')
    },
    async run({ owner, files, today, known = [], tell }) {
      let findings: Findings = NO_FINDINGS
      for (const step of STEP_NAMES) {
        if (!FINDING_STEPS.has(step) && STEPS[step].every((check) => known.includes(check))) continue
        const output = await performStep(step, { files, today, findings }, { owner, queue: 'checks' })
        findings = { ...findings, ...output.findings }
        for (const result of output.results) tell(result)
      }
      return { fields: toFields(findings), likeness: findings.likeness }
    },
    openImage: ({ owner, file, into }) => jobs.performIntake('open_image', { file, into }, { owner }),
    probe: (file, { owner = '' } = {}) => jobs.performIntake('probe_video', { file }, { owner }),
    async checkRecapture({ owner, image }) {
      const files = { frontImage: image, backImage: null, livenessVideo: '', referencePortrait: null }
      const input: StepInput = { files, today: '', findings: NO_FINDINGS }
      const { results } = await performStep('document_recapture', input, { owner, queue: 'intake' })
      const [result = notRun('document_recapture', 'check_failed')] = results
      return result
    },
    [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose](),
  }
}

const notRunAtAll = (step: StepName, code: string): CheckResult[] =>
  STEPS[step].map((check) => notRun(check, code))
