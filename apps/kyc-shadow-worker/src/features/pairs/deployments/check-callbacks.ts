import { contract } from '@vaani/contracts'
import type { CheckState, MigrationCheck } from '@vaani/contracts/migration'
import type { CallbackSettings } from '../../../callback-settings.ts'
import type { ShadowSettings } from '../../../settings.ts'
import type { Arrival } from '../tables.ts'
import type { AwaitedCallbacks } from './awaited-callbacks.ts'
import type { DeploymentClient } from './deployment-client.ts'
import type { ProbeResult } from './probe.ts'
import { readRefusal } from './read-refusal.ts'
import { startSandboxSubmission, type SandboxSubmission } from './sandbox-submission.ts'

export interface CallbackCheckOptions {
  settings: Pick<ShadowSettings, 'candidateApiKey'> & CallbackSettings
  client: Pick<DeploymentClient, 'probe'>
  awaited: AwaitedCallbacks
  /** Sends a callback to the worker over its public address. @returns the status, or why there is none */
  callBack(): Promise<ProbeResult>
}

/** Keys of test mode, whose submissions nobody pays for or looks at. */
const TEST_KEY = /^sk_test_/
const CALLBACK = 'VAANI_SHADOW_CALLBACK_BASE_URL'
const SECRET = 'VAANI_SHADOW_CANDIDATE_WEBHOOK_SECRET'
const MOST_ARRIVAL_SECONDS = 20

/**
 * Finds out whether the candidate calls the worker back. With a key of test mode, it submits drawings to the sandbox, waits for the
 * signed callback, and erases what it submitted. A submission with a live key would be a real one, so that is not made.
 */
export async function checkCallbacks(options: CallbackCheckOptions): Promise<MigrationCheck> {
  const { settings, client } = options
  const { callbackBaseUrl, candidateApiKey: apiKey } = settings
  if (callbackBaseUrl === null)
    return found('skipped', `Nothing confirms that callbacks arrive. Set ${CALLBACK} and ${SECRET}.`)
  // Refused in any case, because it has no pictures.
  const refusal = readRefusal(
    await client.probe({
      method: 'POST',
      path: contract.identity.submitV2.path,
      apiKey,
      json: { callback_url: callbackAddress(callbackBaseUrl) },
    }),
  )
  if (refusal?.param === 'callback_url') return refused(callbackBaseUrl, refusal.message)
  return TEST_KEY.test(apiKey) ? trySubmission(options, callbackBaseUrl) : lookOnly(options, callbackBaseUrl)
}

/** The address of the callbacks of the candidate. */
export const callbackAddress = (base: URL): string => `${base.href.replace(/\/$/, '')}/callbacks/candidate`

const found = (state: CheckState, message: string): MigrationCheck => ({ name: 'callbacks', state, message })

const refused = ({ origin }: URL, message: string): MigrationCheck =>
  found(
    'failed',
    `The candidate does not call back to ${origin} (${message}). Correct ${CALLBACK}, or have the candidate accept it.`,
  )

async function trySubmission(options: CallbackCheckOptions, base: URL): Promise<MigrationCheck> {
  const { settings, client, awaited } = options
  await using callback = await awaited.open()
  const submission = await startSandboxSubmission({
    client,
    apiKey: settings.candidateApiKey,
    checkId: callback.checkId,
    callbackUrl: `${callbackAddress(base)}?check=${callback.checkId}`,
  })
  const judge = async (): Promise<MigrationCheck> => {
    const { refusal } = submission
    if (refusal === null) return judgeArrival(await callback.wait(MOST_ARRIVAL_SECONDS * 1000), options, base)
    return refusal.param === 'callback_url'
      ? refused(base, refusal.message)
      : found('failed', `The candidate takes no submission of a test: ${refusal.message}.`)
  }
  const judged = await judge().catch(async (error: unknown) => {
    await submission.erase()
    throw error
  })
  return found(judged.state, judged.message + (await describeRest(submission)))
}

async function judgeArrival(
  arrival: Arrival | null,
  options: CallbackCheckOptions,
  base: URL,
): Promise<MigrationCheck> {
  const { host } = base
  if (arrival === 'genuine')
    return found('passed', `A callback of the candidate to ${host} arrives here, signed with ${SECRET}.`)
  if (arrival === 'forged')
    return found(
      'failed',
      `A callback of the candidate to ${host} arrives here, but it is not signed with ${SECRET}. Set the secret of the account whose key is VAANI_SHADOW_CANDIDATE_API_KEY, in the mode of that key.`,
    )
  const lost = describeLost(await options.callBack(), host)
  return found(
    'failed',
    `No callback of the candidate arrived here in ${MOST_ARRIVAL_SECONDS} s. ${lost ?? `This machine reaches itself at ${host}: see whether the candidate does, and whether its workers run.`}`,
  )
}

async function lookOnly({ callBack }: CallbackCheckOptions, base: URL): Promise<MigrationCheck> {
  const { host } = base
  const lost = describeLost(await callBack(), host)
  if (lost !== null) return found('failed', lost)
  return found(
    'skipped',
    `${host} leads here, and the candidate did not object to it. Whether it reaches ${host} and signs with ${SECRET} is not tried, because a submission with a live key would be a real one. Check with a key and a secret of test mode first, or see at shadow-1 whether callbacks are missing.`,
  )
}

/** Says why a callback that the worker sent to itself did not arrive; null if it did. */
function describeLost(answer: ProbeResult, host: string): string | null {
  if (answer.status === 204) return null
  const what = answer.status === null ? `does not answer (${answer.cause})` : `answers with ${answer.status}`
  return `${host} ${what} to a signed callback of this machine. Route it to this worker, or correct ${CALLBACK}.`
}

async function describeRest(submission: SandboxSubmission): Promise<string> {
  if (await submission.erase()) return ''
  return ` The candidate did not erase what was submitted: erase the person ${submission.externalId} there.`
}
