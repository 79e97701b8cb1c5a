import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, Vaani } from '@vaani/client'
import type { Migration } from '@vaani/client/migration'
import { describeCount } from '../rules/gate/describe.ts'
import type { Screen } from './screen.ts'
import type { Traffic } from './send-traffic.ts'
import type { Deployments } from './start-deployments.ts'

export interface Pace {
  /** Submissions of the callers. */
  readonly perSecond: number
  /** Highest rate that each condition allows, in percent. */
  readonly allowedPercent: number
  /** How long it is calm before something happens. */
  readonly calmMs: number
}

/** A real migration allows 0.1 % to 5 %, and takes days. */
export const PACES = {
  usual: { perSecond: 8, allowedPercent: 5, calmMs: 8000 },
  fast: { perSecond: 12, allowedPercent: 15, calmMs: 2000 },
} as const satisfies Record<string, Pace>

export interface Stage {
  readonly screen: Screen
  readonly migration: Migration
  readonly traffic: Traffic
  readonly deployments: Deployments
  readonly pace: Pace
  readonly signal: AbortSignal
}

const STEP_LIMIT_MS = 180_000
const LOOK_MS = 250
const REPORT_EVERY_MS = 5000
const ACTOR = 'demo'

/** Tells the whole story: a ramp, a regression with its rollback, the evidence, and the promotion. */
export async function tellStory(stage: Stage): Promise<void> {
  await shadowSome(stage)
  await breakAndRollBack(stage)
  await gatherEvidence(stage)
  await promote(stage)
}

async function shadowSome({ screen, migration, traffic, pace, signal }: Stage): Promise<void> {
  screen.title('Shadow 10 % of the traffic')
  screen.say(`Callers submit ${pace.perSecond} times a second to the gateway. v1 answers all of them.`)
  await delay(pace.calmMs, undefined, { signal })
  const { shadow_share, pairs } = await until('the first copy', signal, async () => {
    const now = await migration.retrieve()
    return now.pairs.sent_today > 0 ? now : null
  })
  screen.say(
    `${traffic.counts.answered} submissions answered, ${traffic.counts.failed} failed. Shadowed: the ${shadow_share * 100} % of the ` +
      `people whose keyed hash is lowest, ${pairs.sent_today} so far.`,
  )
  screen.note('The same people are in the sample at each larger stage.')
  await migration.changeStage({ stage: 'shadow-100', reason: 'The demo has two minutes', actor: ACTOR })
  screen.say('Ramped up to 100 %. A plan for real traffic takes days for this.')
}

async function breakAndRollBack({ screen, migration, traffic, deployments, signal }: Stage): Promise<void> {
  screen.title('Plant a regression in v2')
  const before = { ...traffic.counts }
  await deployments.setFault(true)
  screen.say('v2 gets a policy that ignores the expiry of documents: it approves what v1 declines.')
  const change = await until('the rollback', signal, async () => {
    const changes = await migration.listChanges({ limit: 5 })
    return changes.data.find(({ kind }) => kind === 'rollback') ?? null
  })
  screen.say(`ROLLED BACK by \`${change.actor}\` from ${change.from_stage} to ${change.to_stage}.`)
  screen.note(change.verdict.because)
  const { answered, failed } = traffic.counts
  screen.note(
    `Callers noticed nothing: ${answered - before.answered} submissions answered by v1 meanwhile, ${failed - before.failed} failed.`,
  )
}

async function gatherEvidence(stage: Stage): Promise<void> {
  const { screen, migration, deployments, pace, signal } = stage
  screen.title('Fix v2, and gather evidence')
  await deployments.setFault(false)
  await migration.restartEvidence({ reason: 'v2.0.1 looks at the expiry again', actor: ACTOR })
  await migration.changeStage({ stage: 'shadow-100', reason: 'v2.0.1 is out', actor: ACTOR })
  screen.say('v2 has its policy back. Evidence starts anew, and everybody is shadowed again.')
  screen.note(
    `Each rate may be at most ${pace.allowedPercent} % here, so a minute is enough. By default a wrong approval may happen in 0.1 %, ` +
      'which takes 4,463 pairs without one.',
  )
  let saidMs = -Infinity
  const { verdict, pairs } = await until('the evidence', signal, async () => {
    const now = await migration.retrieve()
    if (now.verdict.advice === 'promote') return now
    if (performance.now() - saidMs > REPORT_EVERY_MS) {
      saidMs = performance.now()
      screen.say(`${describeCount(now.pairs.ended, 'pair')}. ${now.verdict.because}`)
    }
    return null
  })
  screen.say(`${describeCount(pairs.ended, 'pair')}. ${verdict.because}`)
}

async function promote({ screen, migration, traffic, deployments, pace, signal }: Stage): Promise<void> {
  screen.title('Promote to 100 %')
  const { v1, v2, callersKey } = deployments
  await migration.changeStage({ stage: 'live', reason: 'The evidence advises it', actor: ACTOR })
  const promotedMs = performance.now()
  screen.say('`live`: v2 answers, and v1 is the shadow.')
  const id = await until('an answer of v2', signal, async () => {
    const one = await traffic.submit()
    return (await holds(v2.url, callersKey, one)) ? one : null
  })
  const seconds = ((performance.now() - promotedMs) / 1000).toFixed(1)
  screen.say(`A caller that still sends v1 got its answer from v2 after ${seconds} s: ${id}`)
  screen.note(
    `v1 ${(await holds(v1.url, callersKey, id)) ? 'knows' : 'does not know'} this id; the gateway reads it from v2.`,
  )
  await delay(pace.calmMs, undefined, { signal })
  await until('the advice to complete', signal, async () => {
    const { verdict } = await migration.retrieve()
    return verdict.advice === 'promote' ? verdict : null
  })
  await migration.changeStage({ stage: 'complete', reason: 'v2 has answered everybody', actor: ACTOR })
  screen.say('`complete`: v2 answers, and nothing is compared any more.')
  const { answered, failed } = traffic.counts
  screen.say(`${answered} submissions answered in all, ${failed} failed.`)
}

async function holds(baseUrl: string, apiKey: string, verificationId: string): Promise<boolean> {
  try {
    await new Vaani({ baseUrl, apiKey }).identity.retrieve(verificationId)
    return true
  } catch (error) {
    if (ApiError.isInstance(error) && error.status === 404) return false
    throw error
  }
}

async function until<Found>(
  what: string,
  signal: AbortSignal,
  look: () => Promise<Found | null>,
): Promise<Found> {
  const endMs = performance.now() + STEP_LIMIT_MS
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > endMs)
      throw new Error(`${what} did not come within ${STEP_LIMIT_MS / 60_000} minutes`)
    await delay(LOOK_MS, undefined, { signal })
  }
}
