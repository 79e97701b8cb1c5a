import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { STREAM_VOICES } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/api-error'
import type { Lease, WorkerLease } from '@vaani/service-kit/leases/worker-lease'
import { type BackgroundWorker, createPulse } from '@vaani/service-kit/lifecycle/background-worker'
import { endOf } from '@vaani/service-kit/lifecycle/stop-deadline'
import type { Events } from '@vaani/service-kit/telemetry/events'
import type { Logger } from '@vaani/service-kit/telemetry/log'
import type { Carrier } from '@vaani/telephony'
import type { AgentsPort } from '../agents/port.ts'
import type { SpeechPort } from '../speech/port.ts'
import type { CallEvent } from './events.ts'
import type { KeptRecording, RecordingStore } from './recording-store.ts'
import { composeGreeting } from './rules/greeting.ts'
import { runSession, type SessionEnd } from './session.ts'
import { type CallOutcome, type CallSpans, traceCall } from './spans.ts'
import type { CallStore, OverdueCall } from './store.ts'
import type { CallRow } from './view.ts'
import { createWaitingCalls, type WaitingCall } from './waiting-calls.ts'

/** With 15 s of a lease, and 1 s until another worker notices its expiry, abandoned calls end within 21 s. */
const SWEEP_MS = 5000
/** A queued call not dialled this long after its time has lost its job, or waits on a worker that may be gone. */
const OVERDUE_SECONDS = 10
const WRITE_ATTEMPTS = 5
const WRITE_RETRY_MS = 500

/**
 * End of a call whose agent changed after it was placed, so that its greeting with the metadata is now too long, or whose
 * voice was erased.
 */
const UNSPEAKABLE: SessionEnd = {
  completed: false,
  end: { failureReason: 'agent-error' },
  recordingPath: undefined,
  recordingFailure: undefined,
}

/** On stop, hangs up calls that outlast the grace period; they end as interrupted. */
export interface CallDispatcher extends BackgroundWorker {
  /** Claims and carries the call as soon as its account gets a free slot. Resolves once the call is claimed or waits. */
  dispatch(call: WaitingCall): Promise<void>
  /** Counts the calls being carried. */
  active(): number
  /** Counts the calls that wait for a slot. */
  waiting(): number
}

export interface DispatcherOptions {
  lease: WorkerLease
  maxCalls: number
  /** Folder of this process for unfinished recordings, which are not encrypted. */
  recordingDirectory: string
  store: CallStore
  agents: AgentsPort
  carrier: Carrier
  chooseSpeaker: SpeechPort['chooseSpeaker']
  recordings: RecordingStore
  events: Events<CallEvent>
  spans: CallSpans
  log: Logger
}

interface RunningCall {
  accountId: string
  /** Settles with the result of the claim. */
  claimed: Promise<unknown>
  /** Never rejects. */
  task: Promise<void>
}

/** Carries the calls of one worker. If the lease is lost, hangs up, because another worker ends the calls as interrupted. */
export function createCallDispatcher(options: DispatcherOptions): CallDispatcher {
  const { lease, maxCalls, store, carrier, events, spans, log } = options
  const waiting = createWaitingCalls()
  const running = new Map<string, RunningCall>()
  const stopping = new AbortController()
  const hangUpAll = new AbortController()
  const stopped = new AbortController()
  const pulse = createPulse()
  let sweeping: Promise<void> | undefined
  let lastOverdue: OverdueCall | undefined

  async function dispatch(call: WaitingCall): Promise<void> {
    if (stopping.signal.aborted) throw new Error('This worker is stopping')
    // A second job for the same call has nothing to do.
    if (running.has(call.callId)) return
    waiting.add(call)
    fillPlaces()
    // If the claim fails, the job is retried. If the process dies while the call waits here, another worker's sweep finds it.
    await running.get(call.callId)?.claimed
  }

  function fillPlaces(): void {
    const held = new Map<string, number>()
    for (const { accountId } of running.values()) held.set(accountId, (held.get(accountId) ?? 0) + 1)
    const heldBy = (accountId: string) => held.get(accountId) ?? 0
    while (!stopping.signal.aborted) {
      const holder = lease.current()
      if (holder === null) return
      const call = waiting.take({ free: maxCalls - running.size, heldBy })
      if (call === undefined) return
      start(call, holder)
      held.set(call.accountId, heldBy(call.accountId) + 1)
    }
  }

  /** Takes the slot before the first await, so that no two calls take the same one. */
  function start({ callId, accountId }: WaitingCall, holder: Lease): void {
    const claimed = store.claim(callId, holder.workerId)
    const task = claimed
      .then(
        (call) => call && traceCall(spans, call, () => carry(call, holder)),
        (error: unknown) => log.warn({ error, call_id: callId }, 'A call could not be claimed'),
      )
      .catch((error: unknown) => log.error({ error, call_id: callId }, 'A call was lost'))
    running.set(callId, { accountId, claimed, task })
    void task.finally(() => {
      running.delete(callId)
      fillPlaces()
    })
  }

  async function carry(call: CallRow, { workerId, lost }: Lease): Promise<CallOutcome | undefined> {
    events.record('call_dialled', { call_id: call.call_id, carrier: carrier.name })
    let current = call
    try {
      const agent = await findAgent(options.agents, call)
      const greeting = composeGreeting({ agent, language: call.language, metadata: call.metadata ?? {} })
      if (greeting === null) return await finish(current, workerId, UNSPEAKABLE)
      const speaker = await findSpeaker(call, { language: greeting.language, voice: agent.voice })
      if (speaker === null) return await finish(current, workerId, UNSPEAKABLE)
      const result = await runSession({
        callId: call.call_id,
        to: call.to_number,
        fromCallerId: call.from_caller_id,
        greeting,
        ...speaker,
        tenant: call.account_id,
        recordingPath: path.join(options.recordingDirectory, `${call.call_id}.wav`),
        carrier,
        signal: AbortSignal.any([hangUpAll.signal, lost]),
        reports: {
          async answered() {
            const moved = await persist(() => store.move({ call: current, workerId, event: 'answered' }))
            if (moved === undefined) throw new Error('This worker no longer holds the call')
            current = moved
            events.record('call_answered', { call_id: call.call_id })
          },
        },
      })
      return await finish(current, workerId, result)
    } catch (error) {
      log.error({ error, call_id: call.call_id }, 'A call could not be carried')
      const end = { failureReason: 'agent-error' } as const
      await persist(() => store.move({ call: current, workerId, event: 'failed', end }))
      return 'agent-error'
    }
  }

  /** Returns null if nothing speaks as the agent should. */
  async function findSpeaker(call: CallRow, wanted: { language: string; voice: string }) {
    const principal = { accountId: call.account_id, livemode: call.livemode }
    try {
      const { language: _, ...speaker } = await options.chooseSpeaker({
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

  async function finish(
    call: CallRow,
    workerId: string,
    result: SessionEnd,
  ): Promise<CallOutcome | undefined> {
    const recording = await keepRecording(call.call_id, result)
    const moved = await persist(() =>
      store.move({
        call,
        workerId,
        event: result.completed ? 'ended' : 'failed',
        end: { ...result.end, ...(recording && { recording }) },
      }),
    )
    if (moved === undefined && recording) await discardRecording(call.call_id)
    if (moved === undefined) return undefined
    const outcome = moved.failure_reason ?? 'completed'
    events.record('call_ended', { call_id: call.call_id, outcome })
    return outcome
  }

  /** Stores the recording. A full disk or an unreachable store loses the recording, but does not affect the end of the call. */
  async function keepRecording(
    callId: string,
    { recordingPath, recordingFailure }: SessionEnd,
  ): Promise<KeptRecording | undefined> {
    let reason = recordingFailure
    try {
      if (recordingPath !== undefined) return await options.recordings.keep(callId, recordingPath)
    } catch (error) {
      log.error({ error, call_id: callId }, 'A recording could not be kept')
      reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    } finally {
      if (recordingPath !== undefined)
        await rm(recordingPath, { force: true }).catch((error: unknown) =>
          log.warn(
            { error, call_id: callId },
            'An unencrypted recording stays on disk until this process ends',
          ),
        )
    }
    if (reason !== undefined) events.record('recording_lost', { call_id: callId, reason })
    return undefined
  }

  /** Removes a recording that no call refers to. If that fails, it is unreadable, because its key was never written. */
  async function discardRecording(callId: string): Promise<void> {
    await options.recordings
      .discard(callId)
      .catch((error: unknown) => log.warn({ error, call_id: callId }, 'A recording was left behind'))
  }

  /** Retries a write, so that a short database outage does not lose the end of a call. After longer ones the sweep ends it. */
  async function persist<T>(write: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write()
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS) throw error
        log.warn({ error, attempt }, 'A step of a call could not be written; trying again')
        await delay(WRITE_RETRY_MS * attempt, undefined, { signal: stopped.signal })
      }
    }
  }

  /** Ends calls that this worker holds but does not carry, because their end or the reply to their claim was lost. */
  async function endForgotten(): Promise<void> {
    const holder = lease.current()
    if (holder === null) return
    const { workerId } = holder
    for (const call of await store.listForgotten(workerId, [...running.keys()])) {
      const { call_id } = call
      // Started since the list was read.
      if (running.has(call_id)) continue
      const end = { failureReason: 'interrupted' } as const
      if ((await store.move({ call, workerId, event: 'failed', end })) === undefined) continue
      events.record('call_interrupted', { call_id })
      await discardRecording(call_id)
    }
  }

  async function sweep(): Promise<void> {
    await endForgotten()
    for (;;) {
      const interrupted = await store.interruptAbandoned()
      if (interrupted.length === 0) break
      for (const call_id of interrupted) events.record('call_interrupted', { call_id })
      await Promise.all(interrupted.map(discardRecording))
    }
    pulse.beat()
    const overdue = await store.listOverdue(OVERDUE_SECONDS, lastOverdue)
    lastOverdue = overdue.at(-1)
    for (const { call_id, account_id } of overdue)
      if (!running.has(call_id)) waiting.add({ callId: call_id, accountId: account_id })
    fillPlaces()
  }

  const tasks = () => Array.from(running.values(), ({ task }) => task)
  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((error: unknown) => log.warn({ error }, 'The sweep of calls failed'))
      .finally(() => (sweeping = undefined))
  }, SWEEP_MS)

  return {
    name: 'calls',
    dispatch,
    active: () => running.size,
    waiting: waiting.size,
    isWorking: pulse.isBeating,
    async stop({ graceOver, timeOver }) {
      stopping.abort()
      await endOf(Promise.all(tasks()), graceOver)
      hangUpAll.abort()
      await endOf(Promise.all(tasks()), timeOver)
      stopped.abort()
      clearInterval(timer)
      await endOf(sweeping, timeOver)
    },
  }
}

async function findAgent(agents: AgentsPort, call: CallRow) {
  const agent = await agents.find({ accountId: call.account_id, livemode: call.livemode }, call.agent_id)
  if (agent === undefined) throw new Error('The agent of a call is gone')
  return agent
}
