import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@vaani/client'
import type { Migration } from '@vaani/client/migration'
import { familyOf } from '../failure/exit-codes.ts'
import { RefusedLine, type StoredSubmission } from './manifest.ts'
import type { SubmissionStore } from './stores/submission-store.ts'

/** What became of one line. */
export type Replayed = { readonly line: number } & (
  | { readonly sampled: boolean; readonly pair_id: string | null }
  | { readonly refused: string }
)

/** The worker answers 503 with a time to wait while its spool is full, which may take minutes. */
const MAX_RETRIES = 20
const TIMEOUT_MS = 30 * 60_000

/**
 * Submits each line to the worker, several at a time, and reports each result as it comes. Continues after a line that is refused.
 *
 * @throws VaaniError if the following lines would fail as well, as after a wrong key or without a connection
 */
export async function replay(options: {
  readonly client: Pick<Migration, 'retrieve' | 'submit'>
  readonly store: SubmissionStore
  readonly concurrency: number
  readonly signal: AbortSignal
  readonly onResult: (result: Replayed) => Promise<void>
}): Promise<void> {
  const { client, store, concurrency, onResult } = options
  const { lines } = store
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const { evidence_since } = await client.retrieve({ signal })
  const work = async (): Promise<void> => {
    // Generators queue concurrent calls of `next`, so each line goes to one worker.
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      signal.throwIfAborted()
      const { line } = next.value
      await onResult({
        line,
        ...('refused' in next.value
          ? { refused: next.value.refused }
          : await submit(client, store, next.value.submission, { evidence_since, signal })),
      })
    }
  }
  const workers = Array.from({ length: concurrency }, () =>
    work().catch((error: unknown) => {
      // The first failure is the reason; those of the others follow from it.
      if (!stop.signal.aborted) stop.abort(error)
    }),
  )
  await Promise.all(workers)
  await lines.return(undefined)
  stop.signal.throwIfAborted()
}

async function submit(
  client: Pick<Migration, 'submit'>,
  store: SubmissionStore,
  stored: StoredSubmission,
  { evidence_since, signal }: { evidence_since: string; signal: AbortSignal },
) {
  try {
    await using held = await store.hold(stored, signal)
    const { submission } = held
    const idempotencyKey = `replay-${await digestOf(submission, { evidence_since, signal })}`
    return await client.submit(submission, {
      signal,
      idempotencyKey,
      maxRetries: MAX_RETRIES,
      timeoutMs: TIMEOUT_MS,
    })
  } catch (error) {
    const isOfLine =
      error instanceof RefusedLine || (ApiError.isInstance(error) && familyOf(error.code) === 'rejected')
    if (!isOfLine) throw error
    return { refused: error.message }
  }
}

/**
 * Digest of what is sent, and of when the evidence began. The same submission has the same key in each run, so that a run that was
 * interrupted can be repeated, until new evidence begins, for which it counts anew.
 */
async function digestOf(
  submission: StoredSubmission,
  { evidence_since, signal }: { evidence_since: string; signal: AbortSignal },
): Promise<string> {
  const { front_image, back_image, liveness_video, ...fields } = submission
  const whole = createHash('sha256').update(
    JSON.stringify([evidence_since, Object.entries(fields).toSorted()]),
  )
  for (const file of [front_image, back_image, liveness_video]) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash, { signal })
    whole.update(hash.digest())
  }
  return whole.digest('base64url')
}
