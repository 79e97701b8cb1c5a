import type { Turns } from '@vaani/turns'

/** How long an upload keeps its turn while nothing of it arrives. */
const IDLE_MS = 5

/**
 * Reads one upload of an account at a time, until it ends or pauses. Chunks of many at once would make each round of the event loop as
 * many times longer, and the request of another account takes several rounds.
 *
 * @param turns with one place for each tenant
 */
export async function* readInTurn<Chunk>(
  source: AsyncIterable<Chunk>,
  { turns, accountId }: { turns: Turns; accountId: string },
): AsyncGenerator<Chunk> {
  const chunks = source[Symbol.asyncIterator]()
  let turn: Disposable | undefined
  const leave = () => {
    turn?.[Symbol.dispose]()
    turn = undefined
  }
  try {
    for (;;) {
      let isWaiting = true
      // Chunks that came while the process was busy are handed on before an immediate, but after the time is over.
      const idle = setTimeout(() => setImmediate(() => isWaiting && leave()), IDLE_MS)
      const { done, value } = await chunks.next().finally(() => {
        isWaiting = false
        clearTimeout(idle)
      })
      if (done === true) return
      turn ??= await turns.take({ tenant: accountId })
      yield value
    }
  } finally {
    leave()
    await chunks.return?.()
  }
}
