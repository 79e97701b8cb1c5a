import { TurnsError } from '@vaani/turns'
import type { EngineSettings } from '../load-engines.ts'
import { MediaError } from '../media/media-error.ts'
import type { InputOf, JobLimits, JobName, Outcome, OutputOf } from './job.ts'
import { limitsOf } from './limits.ts'
import { createProcessPool, type QueueName } from './process-pool.ts'

/**
 * `busy`: no place became free in time. `failed`: the process was ended from outside. Both are worth a retry. `engine`: an
 * engine's settings are wrong. `aborted`: the caller's signal ended it.
 */
export class CheckRunError extends Error {
  override readonly name = 'CheckRunError'
  readonly code: 'busy' | 'failed' | 'engine' | 'aborted'

  constructor(code: CheckRunError['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Shorter for intake, because a client waits for the response to its submission. */
const MAX_WAIT_MS: Readonly<Record<QueueName, number>> = { intake: 120_000, checks: 600_000 }

export interface JobTrouble {
  readonly job: JobName
  /** `unavailable`: the server of an engine could not be reached, failed or took too long. */
  readonly end: 'timed_out' | 'failed' | 'crashed' | 'killed' | 'unavailable'
  /** The problem with an engine, if that is the reason. */
  readonly engineProblem: string | null
}

export interface JobShare {
  owner: string
  queue: QueueName
  /** Ends the wait for a place, and kills the process of a running job. */
  signal?: AbortSignal | undefined
}

/** Jobs on which a client waits for its response. */
type IntakeJob = 'open_image' | 'probe_video' | 'take_pictures' | 'open_document' | 'read_page'

/** Runs jobs in processes that are shared between owners. */
export interface JobRunner extends AsyncDisposable {
  /** @throws CheckRunError `busy`, `aborted` */
  performOnce<Name extends JobName>(
    job: Name,
    input: InputOf<Name>,
    share: JobShare,
  ): Promise<Outcome<OutputOf<Name>>>
  /**
   * Retries a job once if it failed or its process ended, because the cause may not have been the job.
   *
   * @throws CheckRunError `busy`, `aborted`
   */
  perform<Name extends JobName>(
    job: Name,
    input: InputOf<Name>,
    share: JobShare,
  ): Promise<Outcome<OutputOf<Name>>>
  /**
   * Runs a job on new media. By default, a client waits for it.
   *
   * @throws MediaError if the media is refused
   * @throws CheckRunError `busy`, `failed`, `aborted`
   */
  performIntake<Name extends IntakeJob>(
    job: Name,
    input: InputOf<Name>,
    share: Omit<JobShare, 'queue'> & Partial<Pick<JobShare, 'queue'>>,
  ): Promise<OutputOf<Name>>
}

export const ENDED_FROM_OUTSIDE = 'The job was ended by an external cause'

export function createJobRunner(options: {
  places: number
  engines: EngineSettings
  limits: Partial<Readonly<Record<JobName, JobLimits>>>
  /** Jobs of an owner that may wait; by default enough for a hundred submissions. */
  maxWaiting?: number
  /** How long a process waits for its next job until it ends; by default for ever. */
  idleMs?: number
  onTrouble: (trouble: JobTrouble) => void
}): JobRunner {
  const { limits, onTrouble } = options
  const pool = createProcessPool(options)

  async function performOnce<Name extends JobName>(
    job: Name,
    input: InputOf<Name>,
    { owner, queue, signal }: JobShare,
  ): Promise<Outcome<OutputOf<Name>>> {
    const request = { job, input, limits: limits[job] ?? limitsOf(job) }
    const outcome = await pool
      .run(request, { owner, queue, maxWaitMs: MAX_WAIT_MS[queue], signal })
      .catch((error: unknown) => {
        if (error instanceof TurnsError)
          throw new CheckRunError(error.code === 'aborted' ? 'aborted' : 'busy', error.message, error)
        throw error
      })
    if (signal?.aborted === true) throw new CheckRunError('aborted', 'The job was aborted')
    if (outcome.kind !== 'done' && outcome.kind !== 'refused')
      onTrouble({
        job,
        end: outcome.kind,
        engineProblem: outcome.kind === 'failed' ? outcome.engineProblem : null,
      })
    return outcome
  }

  async function perform<Name extends JobName>(
    job: Name,
    input: InputOf<Name>,
    share: JobShare,
  ): Promise<Outcome<OutputOf<Name>>> {
    const outcome = await performOnce(job, input, share)
    const isOver = outcome.kind === 'done' || outcome.kind === 'refused' || outcome.kind === 'timed_out'
    return isOver ? outcome : performOnce(job, input, share)
  }

  return {
    performOnce,
    perform,
    async performIntake(job, input, share) {
      const outcome = await perform(job, input, { queue: 'intake', ...share })
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
          if (outcome.isTooLarge === true)
            throw new MediaError('too_much_memory', 'takes more memory to read than is allowed')
          throw new CheckRunError('failed', ENDED_FROM_OUTSIDE)
        case 'killed':
          throw new CheckRunError('failed', ENDED_FROM_OUTSIDE)
      }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
