import { type Contract, LIMITS } from '@vaani/contracts'
import type { Tx } from '@vaani/service-kit/database/connect'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import { describeBarred, type RoutedCall } from '../../calls/port.ts'
import type { CallerIdsContext } from '../context.ts'
import { listEarlierCalls, type NextCall } from '../earlier-calls.ts'
import { chooseRinging } from '../rules/choose-ringing.ts'
import { findWait } from '../rules/find-wait.ts'
import { toPending } from '../view.ts'

const MINUTE_MS = 60_000
const param = 'phone_number'

/** POST /v1/caller-ids */
export function startCallerId(context: CallerIdsContext): Handler<Contract['callerIds']['start']> {
  return async ({ body, request }) => {
    const { accountId, livemode } = principalOf(request)
    const { phone_number: phoneNumber, language } = body
    context.speech.requireLanguage(body)
    const { carrier, rings } = requireRoute(context, { accountId, livemode, to: phoneNumber })
    if (await context.verified.isVerified({ accountId, livemode }, phoneNumber))
      throw new ApiError('state_conflict', 'phone_number: is a verified caller id of this account', { param })
    if (await context.doNotCall.refuses(context.pool, { accountId, livemode, to: phoneNumber }, 'placement'))
      throw new ApiError('do_not_call', 'phone_number: is on a do-not-call list', { param })
    const nowMs = context.clock.nowMs()
    const now = new Date(nowMs)
    const row = await context.database.transaction().execute(async (tx) => {
      await requireTurn(tx, { accountId, phoneNumber, rings, now })
      return context.store.insert(tx, {
        caller_id_id: context.makeId('caller_id'),
        account_id: accountId,
        livemode,
        phone_number: phoneNumber,
        language,
        carrier,
        rings,
        created_at: now,
        expires_at: new Date(nowMs + LIMITS.callerIdCodeMinutes * MINUTE_MS),
        worker_id: null,
        call_ended_at: null,
        failure_reason: null,
        verified_at: null,
        removed_at: null,
      })
    })
    context.caller?.wake()
    const { caller_id_id } = row
    context.events.record('caller_id_call_started', { caller_id_id, account_id: accountId })
    const testCode = rings ? {} : { test_code: context.codes.codeOf(caller_id_id) }
    return { status: 201, body: { ...toPending(row, nowMs), ...testCode } }
  }
}

function requireRoute({ calls }: CallerIdsContext, call: RoutedCall): { carrier: string; rings: boolean } {
  const route = calls.findRoute(call)
  if (route === undefined)
    throw new ApiError('invalid_request', 'phone_number: no carrier of this server rings such numbers', {
      param,
    })
  if (route.barred !== null) throw describeBarred(route.barred, { number: param })
  const ringing = chooseRinging({ ...call, ...route })
  if (ringing === 'unheard')
    throw new ApiError(
      'invalid_request',
      'phone_number: only a simulator takes such calls, and nobody would hear the code',
      {
        param,
      },
    )
  return { carrier: route.carrier, rings: ringing === 'phone' }
}

/** Refuses a call to a number that is being called, or was called too often. */
async function requireTurn(tx: Tx, call: NextCall): Promise<void> {
  const retryAfterSeconds = findWait(await listEarlierCalls(tx, call), call.now.getTime())
  if (retryAfterSeconds !== null)
    throw new ApiError('rate_limit_exceeded', 'phone_number: was called to be verified; try again later', {
      param,
      retryAfterSeconds,
    })
}
