import type { Id } from '@vaani/contracts'
import { STAGE_PLANS } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import type { IdMaker } from '@vaani/service-kit/ids'
import { isSampled, type SamplingKey } from '../../rules/sampling/sample.ts'
import { hashSubject } from '../../rules/sampling/subject.ts'
import type { SpooledAnswer, SpooledMedia } from '../../spool/entry.ts'
import { INLINE_MAX_BYTES, MEDIA_MAX_BYTES, type Spool } from '../../spool/spool.ts'
import type { ExchangeOutcome, Watcher } from '../exchange.ts'
import type { GatewayFlag } from '../flag-cache.ts'
import type { DropReason, GatewayMetrics } from '../metrics.ts'
import { type Copy, createCopy } from './copy.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { createAnswerReader } from './read-answer.ts'
import { readSubject, type SubjectReader } from './read-subject.ts'
import type { Reservation, SpoolRoom } from './spool-room.ts'

/** What a copy may hold while the store is slow: a submission of ordinary size, however fast it arrives. */
const COPY_MAX_BYTES = 8_388_608
const UNAVAILABLE = 503

export interface SamplingTools {
  /** Null while its store cannot be opened. */
  spool(): Spool | null
  readonly room: SpoolRoom
  readonly memory: MemoryBudget
  readonly key: SamplingKey
  readonly noiseShare: number
  flag(): GatewayFlag
  readonly makeId: IdMaker
  readonly clock: Clock
  readonly metrics: Pick<GatewayMetrics, 'dropped' | 'sampled'>
  /** Keeps the process from ending before a submission is stored. */
  track(work: Promise<void>): void
}

/** A submission that is copied, or may have to be. */
export interface CopiedSubmission {
  /** The flag when it began. */
  readonly flag: GatewayFlag
  /** Type of the form, with its boundary. */
  readonly contentType: string
  /** Null if it is not known. */
  readonly contentLength: number | null
  readonly receivedAtMs: number
  /** Whom it is about, if that has shown; then it is sampled. */
  readonly subject: string | null
}

/**
 * Copies a submission of version 1 into the spool if its subject is sampled. If that does not show before its end, it is copied on
 * trial until then.
 */
export const copySubmission = (tools: SamplingTools, submission: CopiedSubmission): Watcher =>
  new SubmissionCopy(tools, submission)

class SubmissionCopy implements Watcher {
  readonly #tools: SamplingTools
  readonly #submission: CopiedSubmission
  readonly #plan: (typeof STAGE_PLANS)[GatewayFlag['stage']]
  readonly #reader: SubjectReader | null
  readonly #pairId: Id<'pair'>
  readonly #copy: Copy
  readonly #answer = createAnswerReader()
  #subject: string | null
  #isOut = false
  #lost: DropReason | null = null
  #bytes = 0
  #storing: Promise<SpooledMedia> | undefined
  #reservation: Reservation | null = null
  #wholeAtMs: number | null = null
  #answered: { status: number; ms: number } | null = null

  constructor(tools: SamplingTools, submission: CopiedSubmission) {
    this.#tools = tools
    this.#submission = submission
    this.#plan = STAGE_PLANS[submission.flag.stage]
    this.#reader =
      submission.subject === null ? readSubject(submission.contentType, (found) => this.#decide(found)) : null
    this.#pairId = tools.makeId('pair')
    this.#copy = createCopy({ maxBytes: COPY_MAX_BYTES, memory: tools.memory })
    this.#subject = submission.subject
  }

  onRequestData(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#isOut) return
    if (this.#bytes > MEDIA_MAX_BYTES) return (this.#reader?.destroy(), this.#lose('too_large'))
    if (this.#subject === null) this.#reader?.write(chunk)
    // Reading may have decided it.
    if (this.#isOut || this.#lost !== null) return
    if (!this.#copy.push(chunk)) this.#lose('buffer')
    else if (this.#reservation?.grow(this.#bytes) === false) this.#lose('spool_full')
    else if (this.#copy.waitingBytes > INLINE_MAX_BYTES) this.#store()
  }

  onRequestEnd(): void {
    this.#wholeAtMs = performance.now()
    this.#copy.end()
    this.#reader?.end()
  }

  onAnswer(status: number): void {
    // A deployment that answers before the submission is whole has refused it unread.
    if (this.#wholeAtMs === null) this.#leaveOut()
    else this.#answered = { status, ms: performance.now() - this.#wholeAtMs }
  }

  onAnswerData(chunk: Buffer): void {
    if (!this.#isOut) this.#answer.write(chunk)
  }

  onEnd(outcome: ExchangeOutcome): void {
    if (this.#wholeAtMs === null) {
      if (this.#subject === null) this.#leaveOut()
      if (outcome !== 'caller_left') this.#leaveOut()
      this.#reader?.destroy()
    }
    this.#tools.track(this.#finish(outcome))
  }

  #decide(found: string): void {
    this.#subject = found
    if (!isSampled(found, this.#plan.shadowShare, this.#tools.key)) this.#leaveOut()
  }

  #leaveOut(): void {
    this.#isOut = true
    this.#copy.drop()
  }

  #lose(reason: DropReason): void {
    this.#lost ??= reason
    this.#copy.drop()
  }

  /** Begins to store what is too large to wait in memory for its end, on trial if nobody knows yet whether it is sampled. */
  #store(): void {
    if (this.#storing !== undefined || this.#lost !== null || this.#isOut) return
    const spool = this.#reserve()
    if (spool === null) return
    this.#storing = spool.putMedia(this.#pairId, this.#copy.chunks())
    this.#storing.catch(() => this.#lose('spool_failed'))
  }

  #reserve(): Spool | null {
    const spool = this.#tools.spool()
    if (spool === null) this.#lose('spool_failed')
    else if (
      (this.#reservation ??= this.#tools.room.reserve(this.#submission.contentLength ?? this.#bytes)) === null
    )
      this.#lose('spool_full')
    else return spool
    return null
  }

  async #finish(outcome: ExchangeOutcome): Promise<void> {
    if (this.#subject === null && !this.#isOut) {
      const found = this.#wholeAtMs === null ? null : await this.#reader?.subject
      if (typeof found === 'string') this.#decide(found)
      else if (this.#wholeAtMs !== null) this.#lose('not_a_form')
      else this.#leaveOut()
    }
    if (outcome === 'caller_left') this.#lose('caller_left')
    if (this.#tools.flag().isKilled) this.#leaveOut()
    let isStored = false
    try {
      isStored = !this.#isOut && (await this.#complete(outcome))
    } catch {
      this.#lose('spool_failed')
    }
    if (!this.#isOut && this.#lost !== null) this.#tools.metrics.dropped(this.#lost)
    if (!isStored) await this.#removeMedia().catch(() => undefined)
    this.#reservation?.settle(isStored)
  }

  async #complete(outcome: ExchangeOutcome): Promise<boolean> {
    if (this.#lost !== null || this.#subject === null) return false
    const spool = this.#reserve()
    const media = this.#storing ? await this.#storing.catch(() => null) : await this.#readInline()
    if (this.#lost !== null || media === null || spool === null) return false
    const isNoise =
      this.#plan.answers === 'v1' &&
      isSampled(`noise\0${this.#subject}`, this.#tools.noiseShare, this.#tools.key)
    const kind = isNoise ? 'noise' : 'comparison'
    await spool.complete({
      pairId: this.#pairId,
      kind,
      stage: this.#submission.flag.stage,
      epoch: this.#submission.flag.epoch,
      answeredBy: this.#plan.answers,
      receivedAtMs: this.#submission.receivedAtMs,
      subject: hashSubject(this.#subject, this.#tools.key),
      contentType: this.#submission.contentType,
      mediaBytes: this.#bytes,
      media,
      answer: this.#describeAnswer(outcome),
    })
    this.#tools.metrics.sampled(kind)
    return true
  }

  async #readInline(): Promise<SpooledMedia> {
    const bytes = Buffer.concat(await Array.fromAsync(this.#copy.chunks()))
    return { kind: 'inline', bytes: bytes.toString('base64') }
  }

  /** A worker that sweeps the spool finds what cannot be removed now. */
  async #removeMedia(): Promise<void> {
    const isThere = await this.#storing?.then(
      () => true,
      () => false,
    )
    if (isThere === true) await this.#tools.spool()?.remove(this.#pairId)
  }

  #describeAnswer(outcome: ExchangeOutcome): SpooledAnswer {
    const answeredAtMs = this.#tools.clock.nowMs()
    const waitedMs = performance.now() - (this.#wholeAtMs ?? 0)
    if (outcome !== 'answered' || this.#answered === null)
      return {
        status: UNAVAILABLE,
        verificationId: null,
        errorCode: 'service_unavailable',
        answerMs: waitedMs,
        answeredAtMs,
      }
    return {
      status: this.#answered.status,
      ...this.#answer.read(),
      answerMs: this.#answered.ms,
      answeredAtMs,
    }
  }
}
