import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createTurns, TurnsError } from '@vaani/turns'
import { ChatError } from '../chat-error.ts'
import type { ChatOptions } from '../provider.ts'
import type { Answer } from './answer/write-answer.ts'
import type { AnswerReply, AnswerRequest } from './answer-messages.ts'

/** Many times what the longest answer takes, whose steps are counted. Ends only what hangs. */
const LIMIT_MS = 30_000
/** Chats that wait for the thread, in all and of one tenant, beyond which others are refused. */
const MAX_WAITING = { maxWaiting: 200, maxWaitingPerTenant: 50 }
const RETRY_MS = 1000

export interface AnswerThread {
  /** @throws ChatError `request_refused`, `provider_busy`, `provider_failed`, `provider_closed`, `aborted` */
  answer(request: AnswerRequest['request'], options: ChatOptions): Promise<Answer>
  /** Idempotent. */
  close(): Promise<void>
}

// The worker lies beside this file, as TypeScript source or as a build.
const WORKER_URL = new URL(
  import.meta.url.endsWith('.ts') ? './answer-worker.ts' : './answer-worker.js',
  import.meta.url,
)

/** Creates a thread that starts with the first chat, answers one after another, tenants in turn, and is replaced if one takes too long. */
export function createAnswerThread(options: { limitMs?: number; workerUrl?: URL } = {}): AnswerThread {
  const { limitMs = LIMIT_MS, workerUrl = WORKER_URL } = options
  let current: { worker: Worker; ready: Promise<unknown> } | undefined
  const turns = createTurns({ places: 1, ...MAX_WAITING })
  let isClosed = false

  function start() {
    const worker = new Worker(workerUrl)
    const started = { worker, ready: once(worker, 'message') }
    // The exit tells those who wait.
    worker.on('error', () => undefined)
    started.ready.catch(() => undefined)
    worker.on('exit', () => {
      if (current === started) current = undefined
    })
    return started
  }

  async function ask(message: AnswerRequest): Promise<Answer> {
    if (isClosed) throw closedError()
    const { worker: thread, ready } = (current ??= start())
    const answered = Promise.withResolvers<AnswerReply>()
    let isLate = false
    const onExit = () => {
      if (isClosed) return answered.reject(closedError())
      const fault = isLate
        ? 'The built-in model did not answer in time'
        : 'The thread of the built-in model ended'
      answered.reject(new ChatError('provider_failed', fault))
    }
    const end = () => {
      isLate = true
      void thread.terminate()
    }
    let limit: NodeJS.Timeout | undefined
    thread.once('exit', onExit)
    thread.ref()
    try {
      // To load takes longer than to answer.
      await Promise.race([ready, answered.promise])
      limit = setTimeout(end, limitMs)
      thread.once('message', answered.resolve)
      thread.postMessage(message)
      const reply = await answered.promise
      if (reply.type === 'answered') return reply
      if (reply.type === 'failed')
        throw new ChatError('provider_failed', 'The built-in model failed', { cause: reply.error })
      throw new ChatError('request_refused', reply.message, { param: reply.param, reason: reply.reason })
    } finally {
      clearTimeout(limit)
      thread.off('message', answered.resolve)
      thread.off('exit', onExit)
      // An idle thread must not keep the process alive.
      if (!isClosed) thread.unref()
    }
  }

  return {
    async answer(request, chatOptions) {
      using _place = await turns.take(chatOptions).catch(explain)
      return await ask({ request })
    },
    async close() {
      isClosed = true
      turns.close()
      await current?.worker.terminate()
    },
  }
}

function explain(error: unknown): never {
  if (!(error instanceof TurnsError)) throw error
  switch (error.code) {
    case 'queue_full':
    case 'too_late':
      throw new ChatError('provider_busy', 'Too many chats wait for the built-in model', {
        retryAfterMs: RETRY_MS,
      })
    case 'aborted':
      throw new ChatError('aborted', 'The chat was aborted')
    case 'closed':
      throw closedError()
  }
}

const closedError = () => new ChatError('provider_closed', 'The built-in model is closed')
