import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { SpeechEngine } from '@vaani/speech'
import type { Carrier } from '@vaani/telephony'
import type { Db } from '../database/connect.ts'
import type { Events } from '../events.ts'
import { type BackgroundWorker, createPulse } from '../lifecycle/background-worker.ts'
import { endOf } from '../lifecycle/stop-deadline.ts'
import type { Logger } from '../log.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { composeGreeting } from './greeting.ts'
import { runSession, type SessionEnd } from './session.ts'
import type { CallStore } from './store.ts'
import type { CallRow } from './view.ts'

/** Missed three renewals: the worker is gone. With the sweep, an abandoned call ends within 20 s. */
const LEASE_SECONDS = 15
const SWEEP_MS = 5000
/** A queued call that nobody dialled this long after its time has lost its job. */
const OVERDUE_SECONDS = 30
const WRITE_ATTEMPTS = 5
const WRITE_RETRY_MS = 500

/** The end of a call whose agent was given words, since it was placed, that are too long with its metadata. */
const UNSPEAKABLE: SessionEnd = {
  completed: false,
  end: { failureReason: 'agent-error' },
  recordingPath: undefined,
}

/** When it stops it hangs up the calls that outlast the grace; they end as interrupted. */
export interface CallDispatcher extends BackgroundWorker {
  /** Takes the call and carries it, as soon as a place is free; returns once it is taken. */
  dispatch(callId: string): Promise<void>
  /** Calls that are being carried. */
  active(): number
}

export interface DispatcherOptions {
  workerId: string
  maxCalls: number
  recordingDirectory: string
  store: CallStore
  database: Db
  carrier: Carrier
  engine: SpeechEngine
  blobs: BlobStore
  events: Events
  log: Logger
}

/** Carries the calls of one worker. Each is leased: when the worker dies, another ends them as interrupted. */
export function createCallDispatcher(options: DispatcherOptions): CallDispatcher {
  const { workerId, maxCalls, store, carrier, events, log } = options
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const hangUpAll = new AbortController()
  const stopped = new AbortController()
  const pulse = createPulse()
  let sweeping: Promise<void> | undefined

  async function dispatch(callId: string): Promise<void> {
    // Of two jobs for one call, the second has nothing to do.
    if (running.has(callId)) return
    while (running.size >= maxCalls) await Promise.race(running.values())
    if (stopping.signal.aborted) throw new Error('This worker is stopping')
    // The place is taken before anything is awaited, so that no two calls take the same one.
    const claimed = store.claim(callId, workerId, LEASE_SECONDS)
    const task = claimed
      .then(
        (call) => call && carry(call),
        // Told to the caller below.
        () => undefined,
      )
      .catch((error: unknown) => log.error({ error, call_id: callId }, 'A call was lost'))
    running.set(callId, task)
    void task.finally(() => running.delete(callId))
    await claimed
  }

  async function carry(call: CallRow): Promise<void> {
    events.record('call_dialled', { call_id: call.call_id, carrier: carrier.name })
    let current = call
    try {
      const agent = await findAgent(options.database, call)
      const greeting = composeGreeting({ agent, language: call.language, metadata: call.metadata ?? {} })
      if (greeting === null) return await finish(current, UNSPEAKABLE)
      await mkdir(options.recordingDirectory, { recursive: true })
      const result = await runSession({
        callId: call.call_id,
        to: call.to_number,
        fromCallerId: call.from_caller_id,
        greeting,
        voice: agent.voice,
        tenant: call.account_id,
        recordingPath: path.join(options.recordingDirectory, `${call.call_id}.wav`),
        carrier,
        engine: options.engine,
        signal: hangUpAll.signal,
        reports: {
          async answered() {
            const moved = await persist(() => store.move({ call: current, workerId, event: 'answered' }))
            if (moved === undefined) throw new Error('The call is no longer this worker’s')
            current = moved
            events.record('call_answered', { call_id: call.call_id })
          },
        },
      })
      await finish(current, result)
    } catch (error) {
      log.error({ error, call_id: call.call_id }, 'A call could not be carried')
      const end = { failureReason: 'agent-error' } as const
      await persist(() => store.move({ call: current, workerId, event: 'failed', end }))
    }
  }

  async function finish(call: CallRow, result: SessionEnd): Promise<void> {
    // A store of blobs that is away must not cost the call its end.
    const recordingKey = await keepRecording(options.blobs, call.call_id, result.recordingPath).catch(
      (error: unknown) => {
        log.error({ error, call_id: call.call_id }, 'A recording could not be kept')
        return undefined
      },
    )
    const moved = await persist(() =>
      store.move({
        call,
        workerId,
        event: result.completed ? 'ended' : 'failed',
        end: { ...result.end, ...(recordingKey !== undefined && { recordingKey }) },
      }),
    )
    if (moved)
      events.record('call_ended', { call_id: call.call_id, outcome: moved.failure_reason ?? 'completed' })
  }

  /** A database that is away for a moment must not cost a call its end; past that the lease ends it. */
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

  async function sweep(): Promise<void> {
    // Only those that are being carried: a call that was lost here must run out and be ended.
    if (running.size > 0) await store.renewLeases([...running.keys()], workerId, LEASE_SECONDS)
    for (const call_id of await store.interruptAbandoned()) events.record('call_interrupted', { call_id })
    pulse.beat()
    if (stopping.signal.aborted) return
    for (const callId of await store.listOverdue(OVERDUE_SECONDS)) {
      if (stopping.signal.aborted || running.size >= maxCalls) return
      await dispatch(callId)
    }
  }

  const timer = setInterval(() => {
    sweeping ??= sweep()
      .catch((error: unknown) => log.warn({ error }, 'The sweep of calls failed'))
      .finally(() => (sweeping = undefined))
  }, SWEEP_MS)

  return {
    name: 'calls',
    dispatch,
    active: () => running.size,
    isWorking: pulse.isBeating,
    async stop({ graceOver, timeOver }) {
      stopping.abort()
      await endOf(Promise.all(running.values()), graceOver)
      hangUpAll.abort()
      await endOf(Promise.all(running.values()), timeOver)
      stopped.abort()
      clearInterval(timer)
      await endOf(sweeping, timeOver)
    },
  }
}

async function findAgent(database: Db, call: CallRow) {
  return database
    .selectFrom('agents')
    .where('account_id', '=', call.account_id)
    .where('livemode', '=', call.livemode)
    .where('agent_id', '=', call.agent_id)
    .selectAll()
    .executeTakeFirstOrThrow()
}

async function keepRecording(
  blobs: BlobStore,
  callId: string,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return undefined
  const key = `recordings/${callId}.wav`
  await blobs.importFile(key, file)
  await rm(file, { force: true })
  return key
}
