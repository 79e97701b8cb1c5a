import { STREAM_VOICES } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { Clock } from '@vaani/service-kit/clock'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Carrier } from '@vaani/telephony'
import type { Pool } from 'pg'
import type { AdminPort } from '../admin/port.ts'
import type { AgentsPort } from '../agents/port.ts'
import type { DoNotCallPort } from '../do-not-call/port.ts'
import type { Speaker, SpeechPort } from '../speech/port.ts'
import type { AddNotice } from './add-notice.ts'
import type { Carriers } from './carriers/carriers.ts'
import type { LineTurns } from './line-turns.ts'
import { failureOf, type NumberBar } from './number-bar.ts'
import { composeGreeting, type Greeting } from './rules/greeting.ts'
import type { SessionEnd } from './session.ts'
import type { CallRow } from './view.ts'

export interface PrepareOptions {
  addNotice: AddNotice
  agents: AgentsPort
  carriers: Pick<Carriers, 'find'>
  chooseSpeaker: SpeechPort['chooseSpeaker']
  pool: Pool
  callerIds: Pick<AdminPort['callerIds'], 'isVerified'>
  doNotCall: DoNotCallPort
  clock: Clock
  numberBar: NumberBar
  lineTurns: LineTurns
  log: Logger
}

/** What the agent of a call says, and by which voice. */
export interface PreparedSpeech {
  greeting: Greeting
  speaker: Omit<Speaker, 'language'>
}

/** What a call needs before it is dialled. */
export interface PreparedCall extends PreparedSpeech {
  carrier: Carrier
}

/**
 * End of a call that failed in the worker, or whose agent changed after it was placed, so that its greeting with the metadata is
 * now too long, or whose voice was erased.
 */
export const AGENT_ERROR: SessionEnd = {
  completed: false,
  end: { failureReason: 'agent-error' },
  recordingPath: undefined,
  turns: undefined,
  recordingFailure: undefined,
}

/** End of a call whose carrier was removed from the operator's file after it was placed. */
const NO_CARRIER: SessionEnd = { ...AGENT_ERROR, end: { failureReason: 'carrier-error' } }

/** End of a call whose number was listed after it was placed. */
const DO_NOT_CALL: SessionEnd = { ...AGENT_ERROR, end: { failureReason: 'do-not-call' } }

/** End of a call whose caller id was removed after it was placed. */
const CALLER_ID: SessionEnd = { ...AGENT_ERROR, end: { failureReason: 'caller-id' } }

/**
 * Finds what a call needs, and waits for its turn on the line. Nothing is dialled. Looks for its number on the do-not-call lists last, so
 * that whatever was listed until just before the dial counts.
 *
 * @param signal aborts if the call is no longer to be dialled
 * @returns the end of the call if it cannot be carried
 * @throws Error if the database does not respond
 */
export async function prepareCall(
  call: CallRow,
  options: PrepareOptions,
  signal: AbortSignal,
): Promise<PreparedCall | SessionEnd> {
  const { carriers, pool, callerIds, clock, doNotCall, numberBar, lineTurns, log } = options
  const carrier = carriers.find(call.carrier)
  if (carrier === undefined) {
    const { call_id, carrier: name } = call
    log.error({ call_id, carrier: name }, 'The carrier of a call is not in the file any more')
    return NO_CARRIER
  }
  const { account_id: accountId, livemode, to_number: to, from_caller_id: from } = call
  const barred = numberBar.find({ accountId, livemode, to, carrier: call.carrier }, 'dial', clock.nowMs())
  if (barred !== null) return { ...AGENT_ERROR, end: { failureReason: failureOf(barred) } }
  const speech = await prepareSpeech(call, options)
  if (speech === null) return AGENT_ERROR
  if (from !== null && !(await callerIds.isVerified({ accountId, livemode }, from))) return CALLER_ID
  // The call has another worker or has ended, so that its end is not written here.
  if (!(await lineTurns.wait(call, signal))) return AGENT_ERROR
  if (await doNotCall.refuses(pool, { accountId, livemode, to }, 'dial')) return DO_NOT_CALL
  return { carrier, ...speech }
}

/** Finds what the agent of a call says. Returns null if it cannot be said. @throws Error if the database does not respond */
export async function prepareSpeech(
  call: CallRow,
  { addNotice, agents, chooseSpeaker }: Pick<PrepareOptions, 'addNotice' | 'agents' | 'chooseSpeaker'>,
): Promise<PreparedSpeech | null> {
  const agent = await findAgent(agents, call)
  const greeting = composeGreeting({ agent, language: call.language, metadata: call.metadata ?? {} })
  if (greeting === null) return null
  const speaker = await findSpeaker(chooseSpeaker, call, { language: greeting.language, voice: agent.voice })
  const { call_id: callId, to_number: number, carrier } = call
  return speaker && { greeting: addNotice(greeting, { callId, number, carrier }), speaker }
}

async function findAgent(agents: AgentsPort, call: CallRow) {
  const agent = await agents.find({ accountId: call.account_id, livemode: call.livemode }, call.agent_id)
  if (agent === undefined) throw new Error('The agent of a call is gone')
  return agent
}

/** Returns null if nothing speaks as the agent should. */
async function findSpeaker(
  chooseSpeaker: SpeechPort['chooseSpeaker'],
  call: CallRow,
  wanted: { language: string; voice: string },
) {
  const principal = { accountId: call.account_id, livemode: call.livemode }
  try {
    const { language: _, ...speaker } = await chooseSpeaker({
      principal,
      ...wanted,
      builtInVoices: STREAM_VOICES,
    })
    return speaker
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return null
    throw error
  }
}
