import type { ErrorBody } from '@vaani/contracts'

/** Longest wait for the first event before the headers are sent without it. */
const FIRST_SIGN_MS = 1000
/** Longest silence within a stream. Half of what clients are promised. */
const SIGN_EVERY_MS = 5000
/** Comment, which readers of server-sent events ignore. */
const SIGN = Buffer.from(': waiting\n\n')

/**
 * Opens a stream of server-sent events that is never silent for long: comments fill the time until the next event. A fault
 * within the first second rejects, so that it can still be an error response. A later fault is the last event.
 *
 * @param events begin with the event that `first` is a part of
 * @throws what `first` rejects with in the first second
 * @example
 * const first = items.next()
 * const stream = await openEventStream(toEvents(resume(first, items)), { first, toErrorBody })
 */
export async function openEventStream(
  events: AsyncGenerator<Uint8Array, void, undefined>,
  options: { first: Promise<unknown>; toErrorBody: (error: unknown) => ErrorBody },
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const { first, toErrorBody } = options
  const isLate = await isSilentFor(first, FIRST_SIGN_MS)
  return fillSilence(endWithError(events, toErrorBody), isLate)
}

async function* fillSilence(
  events: AsyncGenerator<Uint8Array, void, undefined>,
  isLate: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (isLate) yield SIGN
    let next = events.next()
    for (;;) {
      if (await isSilentFor(next, SIGN_EVERY_MS)) {
        yield SIGN
        continue
      }
      const { done, value } = await next
      if (done === true) return
      yield value
      next = events.next()
    }
  } finally {
    await events.return()
  }
}

async function* endWithError(
  events: AsyncGenerator<Uint8Array, void, undefined>,
  toErrorBody: (error: unknown) => ErrorBody,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* events
  } catch (error) {
    yield Buffer.from(toEvent(toErrorBody(error)))
  }
}

/** Resolves to whether the event takes longer than this. Rejects if the event rejects sooner. */
async function isSilentFor(event: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: silence, resolve } = Promise.withResolvers<true>()
  const timer = setTimeout(resolve, ms, true)
  try {
    return await Promise.race([event.then(() => false), silence])
  } finally {
    clearTimeout(timer)
  }
}

/** Writes a value as one server-sent event. */
export const toEvent = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
