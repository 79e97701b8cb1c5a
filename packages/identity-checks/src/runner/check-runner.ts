import { randomUUID } from 'node:crypto'
import { type CheckResult, type CheckName, unsure } from '../check.ts'
import { EngineError } from '../engine/engine-error.ts'
import type { EngineSettings } from '../load-engines.ts'
import type { JpegPicture } from '../image/jpeg-picture.ts'
import type { Frame } from '../video/frame.ts'
import { LIVENESS_SAMPLING } from '../video/read-frames.ts'
import type { VideoProbe, ProbedVideo } from '../video/probe-video.ts'
import {
  type CheckFiles,
  type Findings,
  type JobLimits,
  type JobName,
  NO_FINDINGS,
  type Outcome,
  type ReadDocument,
  type StepInput,
  type StepOutput,
  type WrittenImage,
} from './job.ts'
import {
  CheckRunError,
  createJobRunner,
  ENDED_FROM_OUTSIDE,
  type JobTrouble,
  type JobRunner,
} from './job-runner.ts'
import { codeOfFault, createRemoteSteps, type RemoteSteps } from './remote-steps.ts'
import type { QueueName } from './process-pool.ts'
import { BUILT_IN_TEMPLATES } from '../templates/built-in.ts'
import type { Template } from '../templates/template.ts'
import { FINDING_STEPS, STEP_NAMES, STEPS, type StepName } from './steps.ts'
import { toFields } from './to-fields.ts'

/**
 * Runs work on people's media in processes that can be killed, and shares the processes between owners. Disposing of it ends
 * running jobs, which reject with a `CheckRunError`.
 */
export interface CheckRunner extends VideoProbe {
  /**
   * Runs all checks of a verification. A check that exceeds its time ends as a `warning` with `check_timed_out`, and one that
   * fails or crashes twice with `check_failed`. One whose engine is on a server that is away ends with `engine_unavailable`. The
   * other checks continue.
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
   * Loads the engines in one process and asks those on servers about no pictures, to verify their settings. A server that is
   * unavailable is reported as a trouble only, because it may return.
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
  /**
   * Takes the frames of a video that a liveness engine is given: two a second, up to 20. Null if no program to extract them is
   * installed.
   *
   * @throws MediaError if they cannot be read
   * @throws CheckRunError `busy`, `failed`
   */
  takeFrames(options: { owner: string; video: string }): Promise<readonly Frame<JpegPicture>[] | null>
}

export interface CheckRunnerOptions {
  /** Maximum number of processes, at least 2; ideally the number of processors. */
  places: number
  engines?: EngineSettings
  /** Kinds of documents to read by their print; by default those built in. */
  templates?: readonly Template[]
  /** Overrides of the built-in limits. */
  limits?: Partial<Readonly<Record<JobName, JobLimits>>>
  /** Called when a job does not complete. */
  onTrouble?: (trouble: JobTrouble) => void
}

/**
 * Creates a runner of checks. An owner holds at most all places but one, so that others never wait for its jobs. Engines on
 * servers are asked from this process: processes of the checks have no secret, and a wait for a server holds no place.
 *
 * @throws CheckRunError `engine` if the settings of an engine on a server are invalid
 * @example
 * await using runner = createCheckRunner({ places: 2 })
 */
export const createCheckRunner = (options: CheckRunnerOptions): CheckRunner => new ProcessCheckRunner(options)

class ProcessCheckRunner implements CheckRunner {
  readonly #templates: readonly Template[]
  readonly #onTrouble: (trouble: JobTrouble) => void
  readonly #remote: RemoteSteps
  readonly #jobs: JobRunner
  #isClosed = false

  constructor(options: CheckRunnerOptions) {
    const {
      places,
      engines = {},
      templates = BUILT_IN_TEMPLATES,
      limits = {},
      onTrouble = () => undefined,
    } = options
    this.#templates = templates
    this.#onTrouble = onTrouble
    this.#remote = toRemoteSteps(engines)
    this.#jobs = createJobRunner({ places, engines: this.#remote.local, limits, onTrouble })
  }

  async prepare(): Promise<void> {
    for (const [step, { tryOut }] of this.#remote.steps)
      await tryOut().catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error
        if (error.code !== 'unavailable') throw new CheckRunError('engine', error.message, error)
        this.#reportFault(step, error)
      })
    const outcome = await this.#jobs.performOnce('prepare', null, { owner: '', queue: 'intake' })
    if (outcome.kind === 'done') return
    throw outcome.kind === 'failed' && outcome.engineProblem !== null
      ? new CheckRunError('engine', outcome.engineProblem)
      : new CheckRunError('failed', 'The engines could not be loaded')
  }

  async run({
    owner,
    files,
    today,
    known = [],
    tell,
  }: {
    owner: string
    files: CheckFiles
    /** YYYY-MM-DD. */
    today: string
    known?: readonly CheckName[]
    tell: (result: CheckResult) => void
  }): Promise<ReadDocument> {
    const verification = randomUUID()
    let findings: Findings = NO_FINDINGS
    for (const step of STEP_NAMES) {
      if (!FINDING_STEPS.has(step) && STEPS[step].every((check) => known.includes(check))) continue
      const output = await this.#performStep(
        step,
        { verification, files, today, findings, templates: this.#templates },
        { owner, queue: 'checks' },
      )
      findings = { ...findings, ...output.findings }
      for (const result of output.results) tell(result)
    }
    return { fields: toFields(findings), likeness: findings.likeness }
  }

  openImage({ owner, file, into }: { owner: string; file: string; into: string }): Promise<WrittenImage> {
    return this.#jobs.performIntake('open_image', { file, into }, { owner })
  }

  probe(file: string, { owner = '' }: { owner?: string } = {}): Promise<ProbedVideo> {
    return this.#jobs.performIntake('probe_video', { file }, { owner })
  }

  async checkRecapture({ owner, image }: { owner: string; image: string }): Promise<CheckResult> {
    const files = { frontImage: image, backImage: null, livenessVideo: '', referencePortrait: null }
    const input: StepInput = {
      verification: randomUUID(),
      files,
      today: '',
      findings: NO_FINDINGS,
      templates: [],
    }
    const { results } = await this.#performStep('document_recapture', input, { owner, queue: 'intake' })
    const [result = unsure('document_recapture', 'check_failed')] = results
    return result
  }

  async takeFrames({
    owner,
    video,
  }: {
    owner: string
    video: string
  }): Promise<readonly Frame<JpegPicture>[] | null> {
    const input = { video, sampling: LIVENESS_SAMPLING, portraits: null }
    return (await this.#jobs.performIntake('take_pictures', input, { owner })).frames
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#remote[Symbol.asyncDispose]()
    await this.#jobs[Symbol.asyncDispose]()
  }

  #reportFault(step: StepName, error: EngineError): void {
    const end = error.code === 'unavailable' ? 'unavailable' : 'failed'
    this.#onTrouble({ job: step, end, engineProblem: error.message })
  }

  async #performStep(
    step: StepName,
    input: StepInput,
    share: { owner: string; queue: QueueName },
  ): Promise<StepOutput> {
    const remoteStep = this.#remote.steps.get(step)
    if (remoteStep === undefined)
      return outputOf(step, await this.#jobs.perform(step, input, share), (output) => output)
    const taken = await this.#jobs.perform(
      'take_pictures',
      remoteStep.pictures(input.files, input.findings),
      share,
    )
    return outputOf(step, taken, async (pictures) => {
      try {
        return { results: await remoteStep.run(pictures) }
      } catch (error) {
        if (this.#isClosed) throw new CheckRunError('failed', ENDED_FROM_OUTSIDE)
        if (!(error instanceof EngineError)) throw error
        this.#reportFault(step, error)
        return { results: unsureOfAll(step, codeOfFault(error)) }
      }
    })
  }
}

function toRemoteSteps(engines: EngineSettings): RemoteSteps {
  try {
    return createRemoteSteps(engines)
  } catch (error) {
    throw error instanceof EngineError ? new CheckRunError('engine', error.message, error) : error
  }
}

/** Returns the output of a step from the outcome of its job. */
async function outputOf<Output>(
  step: StepName,
  outcome: Outcome<Output>,
  onDone: (output: Output) => StepOutput | Promise<StepOutput>,
): Promise<StepOutput> {
  switch (outcome.kind) {
    case 'done':
      return onDone(outcome.output)
    case 'timed_out':
      return { results: unsureOfAll(step, 'check_timed_out') }
    case 'refused':
    case 'failed':
    case 'crashed':
      return { results: unsureOfAll(step, 'check_failed') }
    case 'killed':
      throw new CheckRunError('failed', ENDED_FROM_OUTSIDE)
  }
}

/** A picture can be made to exceed a limit, so the checks of the step do not count as not run. */
const unsureOfAll = (step: StepName, code: string): CheckResult[] =>
  STEPS[step].map((check) => unsure(check, code))
