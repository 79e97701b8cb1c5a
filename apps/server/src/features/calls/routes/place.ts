import { type Contract, DEFAULT_CALL_LANGUAGE, LIMITS } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { principalOf } from '@vaani/service-kit/http/authorize'
import { concurrencyOf, tooManyAtOnce } from '@vaani/service-kit/http/limits/rate-limits'
import type { Handler } from '@vaani/service-kit/http/ts-rest'
import type { Tenant } from '@vaani/service-kit/tenant'
import type { CallsContext } from '../context.ts'
import { describeBarred } from '../number-bar.ts'
import type { PlacingRefusal } from '../place-call.ts'
import type { RoutedCall } from '../rules/choose-carrier.ts'
import { composeGreeting, mayOverfill } from '../rules/greeting.ts'
import { findScheduleProblem } from '../rules/schedule.ts'

/** POST /agent/calls */
export function placeCall(context: CallsContext): Handler<Contract['calls']['place']> {
  return async ({ body, request }) => {
    const principal = principalOf(request)
    const { accountId, livemode } = principal
    // Agents cannot speak without an engine. Without the default language, an agent speaks its own.
    if (body.language === DEFAULT_CALL_LANGUAGE) context.speech.requireEngine()
    else context.speech.requireLanguage(body)
    const scheduledAt = readSchedule(body.scheduled_at, context.clock.nowMs())
    await requireSpeakable(context, { accountId, livemode }, body)
    if (
      body.from_caller_id !== undefined &&
      !(await context.admin.callerIds.isVerified({ accountId, livemode }, body.from_caller_id))
    )
      throw new ApiError('forbidden', 'from_caller_id: is not a verified caller id of this account', {
        param: 'from_caller_id',
      })
    const maxWaiting = concurrencyOf('waiting_calls', principal).limit
    const placed = await context.calls.place(
      {
        accountId,
        livemode,
        to: body.to,
        agentId: body.agent_id,
        scheduledAt,
        scheduledAtText: body.scheduled_at ?? null,
        fromCallerId: body.from_caller_id ?? null,
        language: body.language,
        metadata: body.metadata ?? null,
        carrier: requireCarrier(context, { livemode, accountId, to: body.to }, scheduledAt),
      },
      {
        maxWaiting,
        async within(client, call) {
          if (request.idempotency)
            await context.idempotency.keep(
              request.idempotency,
              { status: 201, body: JSON.stringify(call) },
              client,
            )
        },
      },
    )
    if ('refused' in placed) throw describeRefusal(placed.refused, maxWaiting)
    const { call } = placed
    if (scheduledAt === null) context.worker?.wake()
    context.events.record('call_placed', { call_id: call.call_id, account_id: accountId })
    return { status: 201, body: call }
  }
}

function requireCarrier(
  { chooseCarrier, clock, numberBar }: CallsContext,
  call: RoutedCall,
  scheduledAt: Date | null,
): string {
  const carrier = chooseCarrier(call)
  if (carrier === undefined)
    throw new ApiError('invalid_request', 'to: no carrier of this server rings such numbers', { param: 'to' })
  const dueMs = scheduledAt?.getTime() ?? clock.nowMs()
  const barred = numberBar.find({ ...call, carrier }, 'placement', dueMs)
  if (barred === null) return carrier
  throw describeBarred(barred, { number: 'to', time: 'scheduled_at' })
}

/** Parses `scheduled_at`; null means now. */
function readSchedule(scheduledAt: string | undefined, nowMs: number): Date | null {
  if (scheduledAt === undefined) return null
  const time = new Date(scheduledAt)
  const problem = findScheduleProblem(time, nowMs)
  if (problem !== null)
    throw new ApiError('invalid_request', `scheduled_at: ${problem}`, { param: 'scheduled_at' })
  return time
}

function describeRefusal(refusal: PlacingRefusal, maxWaiting: number): ApiError {
  switch (refusal) {
    case 'unknown_agent':
      return new ApiError('invalid_request', 'agent_id: is not an agent of this account', {
        param: 'agent_id',
      })
    case 'do_not_call':
      return new ApiError('do_not_call', 'to: is on a do-not-call list', { param: 'to' })
    case 'cap_minutes':
      return capReached('scheduled_at', 'the minutes of this account on phone lines are used up')
    case 'cap_spend':
      return capReached('scheduled_at', 'the money of this account for phone lines is used up')
    case 'cap_attempts':
      return capReached('to', 'this account may not call this number again')
    case 'queue_full':
      return tooManyAtOnce('waiting_calls', maxWaiting)
    case 'schedule_full':
      return new ApiError(
        'rate_limit_exceeded',
        `At most ${LIMITS.scheduledCallsPerAccount} scheduled calls may wait`,
        { param: 'scheduled_at', retryAfterSeconds: 60 },
      )
  }
}

const capReached = (param: 'scheduled_at' | 'to', what: string): ApiError =>
  new ApiError('call_cap_reached', `${param}: ${what} until the next day in UTC`, { param })

/** Refuses metadata that makes the greeting too long. Checked again on dialling, because the agent may change in between. */
async function requireSpeakable(
  { agents }: CallsContext,
  tenant: Tenant,
  call: { agent_id: string; language: string; metadata?: Readonly<Record<string, unknown>> | undefined },
): Promise<void> {
  const { agent_id: agentId, language, metadata } = call
  if (metadata === undefined || !mayOverfill(metadata)) return
  const agent = await agents.findSpeaker(tenant, agentId)
  // An unknown agent is refused when the call is written.
  if (agent === undefined || composeGreeting({ agent, language, metadata }) !== null) return
  throw new ApiError(
    'text_too_long',
    `metadata: makes the agent's words longer than ${LIMITS.filledGreetingCharacters} characters`,
    { param: 'metadata' },
  )
}
