import type { KycVersion } from '@vaani/contracts/migration'
import { BlobError } from '@vaani/service-kit/blobs/blob-store'
import type { Clock } from '@vaani/service-kit/clock'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import { VaultError } from '@vaani/service-kit/vault/vault'
import { copyForm } from '../../../convert/copy-form.ts'
import { convertToV2, FormError } from '../../../convert/to-v2.ts'
import type { SpoolEntry } from '../../../spool/entry.ts'
import type { Spool } from '../../../spool/spool.ts'
import type { Submission } from '../deployments/deployment-client.ts'
import type { Deployments } from '../deployments/deployments.ts'
import type { PairEvent } from '../events.ts'
import type { PairMetrics } from '../metrics.ts'
import type { HeldPair, PairMachine } from '../pair-machine.ts'
import { applySend } from '../rules/apply.ts'
import type { NotSentReason } from '../rules/pair-state.ts'
import { deploymentOf, needsMedia } from '../rules/plan.ts'
import type { Budget } from './budget.ts'

export interface SenderOptions {
  machine: PairMachine
  spool: Spool
  deployments: Deployments
  budget: Budget
  storesShadowMedia: boolean
  clock: Clock
  random: () => number
  events: Events<PairEvent>
  metrics: PairMetrics
  log: Logger
}

/** Makes one submission of a pair. Returns after how long there is another one to make; null if none is left. */
export type SendOne = (pairId: string, signal: AbortSignal) => Promise<number | null>

/**
 * Sends what a pair still has to submit. It may be called again at any time, and by several processes at once: the same
 * submission always has the same idempotency key, and the row counts it once.
 */
export function createSender(options: SenderOptions): SendOne {
  const { machine, spool, deployments, budget, clock, random, events, metrics } = options

  const giveUp = (pairId: string, notSent: NotSentReason) =>
    machine.change(pairId, (pair) => (needsMedia(pair) ? { ...pair, notSent } : null))

  /** Claims the budget of the day, once for a pair, and says what is to be sent. */
  const prepare = (pairId: string) =>
    machine.change(pairId, async (pair, tx) => {
      if (!needsMedia(pair) || pair.budgetDay !== null) return pair
      const day = await budget.take(tx)
      return day === null ? { ...pair, notSent: 'over_budget' } : { ...pair, budgetDay: day }
    })

  async function open(pairId: string) {
    try {
      const entry = await spool.readEntry(pairId)
      return { entry, media: await spool.openMedia(entry) }
    } catch (error) {
      if (isLoss(error)) return null
      throw error
    }
  }

  return async function sendOne(pairId, signal) {
    const prepared = await prepare(pairId)
    if (prepared === null || prepared.next.do !== 'send') {
      if (prepared === null || !needsMedia(prepared.pair)) await spool.remove(pairId)
      return null
    }
    const { pair, next } = prepared
    const waitMs = next.atMs - clock.nowMs()
    if (waitMs > 0) return waitMs
    const opened = await open(pairId)
    const described = opened && describe(options, opened, pair, next.version)
    if (opened === null || described === null) {
      opened?.media.destroy()
      await giveUp(pairId, opened === null ? 'media_lost' : 'no_key')
      await spool.remove(pairId)
      return null
    }
    const { submission, isCallbackDue } = described
    const deployment = deploymentOf(pair, next.version)
    try {
      const sent = await deployments.clients[deployment].submit(submission, signal)
      metrics.sends.add({ deployment, result: sent.result })
      if ('answerMs' in sent && sent.answerMs !== null)
        metrics.answers.observe({ deployment }, sent.answerMs / 1000)
      const moment = { nowMs: clock.nowMs(), random: random(), isCallbackDue }
      // The id is stored before anything else is done with it.
      const stored = await machine.change(pairId, (held) => applySend(held, next.version, sent, moment))
      if (sent.result === 'again' && !sent.isFault && !signal.aborted)
        options.log.warn(
          { pair_id: pairId, ...(sent.status !== null && { status: sent.status }) },
          'A deployment does not take submissions of the shadow now: its key, its limits or a conflict',
        )
      if (sent.result === 'accepted')
        events.record('pair_sent', { pair_id: pairId, verification_id: sent.reported.verificationId })
      if (stored !== null && needsMedia(stored.pair) && stored.next.do === 'send')
        return Math.max(0, stored.next.atMs - clock.nowMs())
    } catch (error) {
      if (error instanceof FormError) await giveUp(pairId, 'bad_form')
      else if (isLoss(error)) await giveUp(pairId, 'media_lost')
      else throw error
    } finally {
      opened.media.destroy()
    }
    await spool.remove(pairId)
    return null
  }
}

/** Makes the submission of a version. @returns null if the deployment has no key any more */
function describe(
  { deployments, storesShadowMedia }: Pick<SenderOptions, 'deployments' | 'storesShadowMedia'>,
  { entry, media }: { entry: SpoolEntry; media: Awaited<ReturnType<Spool['openMedia']>> },
  pair: HeldPair,
  version: KycVersion,
): { submission: Submission; isCallbackDue: boolean } | null {
  const { pairId } = entry
  const deployment = deploymentOf(pair, version)
  const apiKey = deployments.keyOf(pair, version)
  if (apiKey === undefined) return null
  const callbackUrl = deployments.callbackUrl(deployment, pairId)
  if (deployment === 'candidate') {
    const extras = { callbackUrl, storeMedia: storesShadowMedia }
    return {
      isCallbackDue: callbackUrl !== null,
      submission: {
        path: '/identity/kyc/v2',
        contentType: 'application/json',
        apiKey,
        idempotencyKey: pairId,
        body: convertToV2(media, entry.contentType, extras),
      },
    }
  }
  return {
    isCallbackDue: callbackUrl !== null,
    submission: {
      path: '/identity/kyc/v1',
      apiKey,
      // Another key, because both deployments may be the same.
      idempotencyKey: `${pairId}-${version}`,
      ...copyForm(media, entry.contentType, { seed: pairId, callbackUrl }),
    },
  }
}

/** Whether media can never be read, unlike that of a store that is away. */
const isLoss = (error: unknown): boolean =>
  error instanceof VaultError ||
  (error instanceof BlobError && (error.code === 'not_found' || error.code === 'too_large'))
