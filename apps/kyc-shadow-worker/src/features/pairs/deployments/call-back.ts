import type { Clock } from '@vaani/service-kit/clock'
import { sign } from '@vaani/webhook-verifier'
import { request } from 'undici'
import type { CallbackSettings } from '../../../callback-settings.ts'
import { callbackAddress } from './check-callbacks.ts'
import { causeOf, type ProbeResult } from './probe.ts'

const TIMEOUT_MS = 5000
/** No receiver acts on this type. */
const EVENT = { event_id: 'evt_check', type: 'migration.check', data: null }

/** Sends a callback as the candidate would, to the address that the candidate gets. */
export async function callBack(
  { callbackBaseUrl, callbackSecrets }: CallbackSettings,
  clock: Clock,
): Promise<ProbeResult> {
  const [secret] = callbackSecrets.candidate
  if (callbackBaseUrl === null || secret === undefined) return { status: null, cause: 'not set' }
  const body = JSON.stringify(EVENT)
  const timestampSeconds = Math.floor(clock.nowMs() / 1000)
  const headers = await sign(body, { secrets: secret, id: EVENT.event_id, timestampSeconds })
  try {
    const answer = await request(callbackAddress(callbackBaseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body.dump()
    return { status: answer.statusCode, errorCode: null }
  } catch (error) {
    return { status: null, cause: causeOf(error) }
  }
}
