import { STAGE_PLANS } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import type { IdMaker } from '@vaani/service-kit/ids'
import { isSampled, type SamplingKey } from '../../rules/sampling/sample.ts'
import { hashSubject } from '../../rules/sampling/subject.ts'
import type { SpooledAnswer, SpooledMedia } from '../../spool/entry.ts'
import { INLINE_MAX_BYTES, MEDIA_MAX_BYTES, type Spool } from '../../spool/spool.ts'
import type { ExchangeOutcome, Watcher } from '../exchange.ts'
import type { GatewayFlag } from '../flag/flag-cache.ts'
import type { DropReason, GatewayMetrics } from '../metrics.ts'
import { createCopy } from './copy.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { createAnswerReader } from './read-answer.ts'
import { readSubject } from './read-subject.ts'
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
export function copySubmission(tools: SamplingTools, submission: CopiedSubmission): Watcher {
  const { room, key, metrics, clock } = tools
  const { flag, contentType, contentLength, receivedAtMs } = submission
  const { stage, epoch } = flag
  const { answers: answeredBy, shadowShare } = STAGE_PLANS[stage]
  const reader = submission.subject === null ? readSubject(contentType, decide) : null
  const pairId = tools.makeId('pair')
  const copy = createCopy({ maxBytes: COPY_MAX_BYTES, memory: tools.memory })
  const answer = createAnswerReader()
  let { subject } = submission
  let isOut = false
  let lost: DropReason | null = null
  let bytes = 0
  let storing: Promise<SpooledMedia> | undefined
  let reservation: Reservation | null = null
  let wholeAtMs: number | null = null
  let answered: { status: number; ms: number } | null = null

  function decide(found: string): void {
    subject = found
    if (!isSampled(found, shadowShare, key)) leaveOut()
  }
  function leaveOut(): void {
    isOut = true
    copy.drop()
  }
  function lose(reason: DropReason): void {
    lost ??= reason
    copy.drop()
  }
  /** Begins to store what is too large to wait in memory for its end, on trial if nobody knows yet whether it is sampled. */
  function store(): void {
    if (storing !== undefined || lost !== null || isOut) return
    const spool = reserve()
    if (spool === null) return
    storing = spool.putMedia(pairId, copy.chunks())
    storing.catch(() => lose('spool_failed'))
  }
  function reserve(): Spool | null {
    const spool = tools.spool()
    if (spool === null) lose('spool_failed')
    else if ((reservation ??= room.reserve(contentLength ?? bytes)) === null) lose('spool_full')
    else return spool
    return null
  }

  async function finish(outcome: ExchangeOutcome): Promise<void> {
    if (subject === null && !isOut) {
      const found = wholeAtMs === null ? null : await reader?.subject
      if (typeof found === 'string') decide(found)
      else if (wholeAtMs !== null) lose('not_a_form')
      else leaveOut()
    }
    if (outcome === 'caller_left') lose('caller_left')
    if (tools.flag().isKilled) leaveOut()
    let isStored = false
    try {
      isStored = !isOut && (await complete(outcome))
    } catch {
      lose('spool_failed')
    }
    if (!isOut && lost !== null) metrics.dropped(lost)
    if (!isStored) await removeMedia().catch(() => undefined)
    reservation?.settle(isStored)
  }

  async function complete(outcome: ExchangeOutcome): Promise<boolean> {
    if (lost !== null || subject === null) return false
    const spool = reserve()
    const media = storing ? await storing.catch(() => null) : await readInline()
    if (lost !== null || media === null || spool === null) return false
    const isNoise = answeredBy === 'v1' && isSampled(`noise\0${subject}`, tools.noiseShare, key)
    const kind = isNoise ? 'noise' : 'comparison'
    await spool.complete({
      pairId,
      kind,
      stage,
      epoch,
      answeredBy,
      receivedAtMs,
      subject: hashSubject(subject, key),
      contentType,
      mediaBytes: bytes,
      media,
      answer: describeAnswer(outcome),
    })
    metrics.sampled(kind)
    return true
  }

  async function readInline(): Promise<SpooledMedia> {
    const bytes = Buffer.concat(await Array.fromAsync(copy.chunks()))
    return { kind: 'inline', bytes: bytes.toString('base64') }
  }

  /** A worker that sweeps the spool finds what cannot be removed now. */
  async function removeMedia(): Promise<void> {
    const isThere = await storing?.then(
      () => true,
      () => false,
    )
    if (isThere === true) await tools.spool()?.remove(pairId)
  }

  function describeAnswer(outcome: ExchangeOutcome): SpooledAnswer {
    const answeredAtMs = clock.nowMs()
    const waitedMs = performance.now() - (wholeAtMs ?? 0)
    if (outcome !== 'answered' || answered === null)
      return {
        status: UNAVAILABLE,
        verificationId: null,
        errorCode: 'service_unavailable',
        answerMs: waitedMs,
        answeredAtMs,
      }
    return { status: answered.status, ...answer.read(), answerMs: answered.ms, answeredAtMs }
  }

  return {
    onRequestData(chunk) {
      bytes += chunk.length
      if (isOut) return
      if (bytes > MEDIA_MAX_BYTES) return (reader?.destroy(), lose('too_large'))
      if (subject === null) reader?.write(chunk)
      // Reading may have decided it.
      if (isOut || lost !== null) return
      if (!copy.push(chunk)) lose('buffer')
      else if (reservation?.grow(bytes) === false) lose('spool_full')
      else if (copy.waitingBytes > INLINE_MAX_BYTES) store()
    },
    onRequestEnd() {
      wholeAtMs = performance.now()
      copy.end()
      reader?.end()
    },
    onAnswer(status) {
      // A deployment that answers before the submission is whole has refused it unread.
      if (wholeAtMs === null) leaveOut()
      else answered = { status, ms: performance.now() - wholeAtMs }
    },
    onAnswerData(chunk) {
      if (!isOut) answer.write(chunk)
    },
    onEnd(outcome) {
      if (wholeAtMs === null) {
        if (subject === null) leaveOut()
        if (outcome !== 'caller_left') leaveOut()
        reader?.destroy()
      }
      tools.track(finish(outcome))
    },
  }
}
