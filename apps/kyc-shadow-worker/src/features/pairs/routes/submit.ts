import multipart from '@fastify/multipart'
import { migrationContract, type Pair, type Stage, STAGE_PLANS } from '@vaani/contracts/migration'
import type { Clock } from '@vaani/service-kit/clock'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { requireForm } from '@vaani/service-kit/http/body/form'
import type { IdempotencyStore } from '@vaani/service-kit/http/idempotency/idempotency'
import { mountStreamed } from '@vaani/service-kit/http/body/mount-streamed'
import type { ReceivedRequest } from '@vaani/service-kit/http/body/streamed-route'
import type { IdMaker } from '@vaani/service-kit/ids'
import type { Mount } from '@vaani/service-kit/service/define-feature'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { FastifyRequest } from 'fastify'
import { createFormWriter } from '../../../convert/write-form.ts'
import { isSampled } from '../../../rules/sampling/sample.ts'
import { hashSubject } from '../../../rules/sampling/subject.ts'
import type { SpoolEntry, SpooledAnswer } from '../../../spool/entry.ts'
import type { Spool } from '../../../spool/spool.ts'
import type { Flag, FlagPort } from '../../flag/port.ts'
import type { PairEvent } from '../events.ts'
import type { SpoolSize } from '../work/intake.ts'
import { receiveForm, type ReceivedForm } from './receive-form.ts'

/** The route of the contract that this feature serves. */
export const submitRoute = migrationContract.migration.submit

export interface SubmitContext {
  spool: Spool
  flag: FlagPort
  clock: Clock
  makeId: IdMaker
  samplingKey: Uint8Array
  /** What the spool holds, and how much it may. */
  readSpoolSize: () => Promise<SpoolSize>
  spoolMaxBytes: number
  spoolMaxSubmissions: number
  idempotency: IdempotencyStore
  events: Events<PairEvent>
}

interface Answer {
  status: 202
  body: { pair_id: Pair['pair_id'] | null; sampled: boolean }
}

const FORM_LIMITS = {
  fieldNameSize: 100,
  fields: 10,
  fieldSize: 4096,
  files: 5,
  parts: 15,
  // Each file has a limit of its own.
  fileSize: Number.POSITIVE_INFINITY,
}
const FULL_RETRY_SECONDS = 30

export const mountSubmit =
  (context: SubmitContext): Mount =>
  async (app) => {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      await scope.register(multipart, { limits: FORM_LIMITS })
      await mountStreamed(scope, submitRoute, {
        receive: ({ request }) => receive(context, request),
        idempotency: context.idempotency,
      })
    })
  }

/** Stores a submission on trial, because it is known only at its end whether it is sampled. */
async function receive(context: SubmitContext, request: FastifyRequest): Promise<ReceivedRequest<Answer>> {
  const { spool, makeId, clock } = context
  requireForm(request)
  requireShadow(context.flag.current())
  await requireRoom(context)
  const pairId = makeId('pair')
  const receivedAtMs = clock.nowMs()
  const writer = createFormWriter(pairId)
  const form = receiveForm(request, writer)
  const stored = await store(context, pairId, form)
  let isKept = false
  return {
    fields: Object.fromEntries(form.texts),
    files: form.fingerprints,
    async act() {
      const { stage, epoch, ...flag } = context.flag.current()
      const plan = requireShadow({ stage, ...flag })
      const subject = form.subject()
      if (!isSampled(subject, plan.shadowShare, context.samplingKey))
        return { status: 202, body: { pair_id: null, sampled: false } }
      const entry: SpoolEntry = {
        pairId,
        kind: 'comparison',
        stage,
        epoch,
        answeredBy: form.texts.get('answered_by') === 'v2' ? 'v2' : 'v1',
        receivedAtMs,
        subject: hashSubject(subject, context.samplingKey),
        contentType: writer.contentType,
        mediaBytes: stored.bytes,
        media: stored.media,
        answer: answerOf(form, receivedAtMs),
      }
      await spool.complete(entry)
      isKept = true
      context.events.record('pair_stored', { pair_id: pairId })
      return { status: 202, body: { pair_id: pairId, sampled: true } }
    },
    async [Symbol.asyncDispose]() {
      if (!isKept) await spool.remove(pairId)
    },
  }
}

async function store({ spool }: SubmitContext, pairId: string, form: ReceivedForm) {
  let bytes = 0
  let failure: unknown
  async function* read() {
    try {
      for await (const chunk of form.body()) {
        bytes += chunk.length
        yield chunk
      }
    } catch (error) {
      failure = error
      throw error
    }
  }
  try {
    return { media: await spool.putMedia(pairId, read()), bytes }
  } catch (error) {
    // A store may wrap what its source threw.
    throw failure ?? error
  }
}

/** @throws ApiError `state_conflict` if nothing is shadowed now */
function requireShadow({ stage, isKilled }: Pick<Flag, 'isKilled'> & { stage: Stage }) {
  const plan = STAGE_PLANS[stage]
  if (isKilled) throw new ApiError('state_conflict', 'The kill switch is engaged')
  if (plan.shadowShare === 0)
    throw new ApiError('state_conflict', `Nothing is shadowed at the stage ${stage}`)
  return plan
}

async function requireRoom({
  readSpoolSize,
  spoolMaxBytes,
  spoolMaxSubmissions,
}: SubmitContext): Promise<void> {
  const { bytes, submissions } = await readSpoolSize()
  if (bytes >= spoolMaxBytes || submissions >= spoolMaxSubmissions)
    throw new ApiError('service_unavailable', 'The spool is full', { retryAfterSeconds: FULL_RETRY_SECONDS })
}

function answerOf({ texts }: ReceivedForm, nowMs: number): SpooledAnswer | null {
  const verificationId = texts.get('verification_id')
  if (verificationId === undefined) return null
  // Nobody measured how long that answer took.
  return { status: 200, verificationId, errorCode: null, answerMs: null, answeredAtMs: nowMs }
}
