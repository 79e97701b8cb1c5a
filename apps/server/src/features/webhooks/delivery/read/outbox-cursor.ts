/** Rows per read over all shards. */
export const READ_MOST = 512
/** Bounds on the rows per read of one shard. Within them, the shards that have rows share `READ_MOST`. */
const SHARD_LEAST = 16
const SHARD_MOST = 256
/**
 * How far behind the newest position read so far each read starts. It must look back, because a transaction may commit after
 * one with later positions. It must not start at 0, because a scan walks over deleted rows for as long as any transaction in
 * the database might see them, which can be hours.
 */
const BEHIND = 10_000n
/** Interval of full reads from position 0, for transactions that took longer still to commit. */
const WHOLE_EVERY_MS = 20_000

/** A read of the outbox: shards in turn, the position after which each is read, and how many rows of each. */
export interface OutboxRead {
  shards: readonly number[]
  after: readonly bigint[]
  perShard: number
}

/** Where reads of the outbox begin, and how many rows they take of each shard. */
export class OutboxCursor {
  readonly #newestByShard = new Map<number, bigint>()
  #wholeAtMs = Number.NEGATIVE_INFINITY
  #perShard = SHARD_LEAST
  #turn = 0
  #mayHoldMore = false

  /** Begins a read; null if there is no shard to read. */
  next(held: readonly number[], monotonicMs: number): OutboxRead | null {
    if (held.length === 0) {
      this.#mayHoldMore = false
      return null
    }
    const isWhole = monotonicMs - this.#wholeAtMs > WHOLE_EVERY_MS
    if (isWhole) this.#wholeAtMs = monotonicMs
    // Rotate the first shard, because a read stops once it has enough rows.
    this.#turn = (this.#turn + 1) % held.length
    const shards = [...held.slice(this.#turn), ...held.slice(0, this.#turn)]
    const after = shards.map((shard) => (isWhole ? 0n : this.#afterOf(shard)))
    return { shards, after, perShard: this.#perShard }
  }

  /** Moves on after a read. */
  noteRead(rows: readonly { shard: number; position: string }[]): void {
    const countByShard = new Map<number, number>()
    for (const { shard, position } of rows) {
      countByShard.set(shard, (countByShard.get(shard) ?? 0) + 1)
      const newest = BigInt(position)
      if (newest > (this.#newestByShard.get(shard) ?? 0n)) this.#newestByShard.set(shard, newest)
    }
    const isAnyFull = [...countByShard.values()].some((count) => count >= this.#perShard)
    this.#mayHoldMore = rows.length >= READ_MOST || isAnyFull
    const share = Math.ceil(READ_MOST / Math.max(1, countByShard.size))
    this.#perShard = Math.min(SHARD_MOST, Math.max(SHARD_LEAST, share))
  }

  /** Whether the last read may have left rows behind. */
  mayHoldMore(): boolean {
    return this.#mayHoldMore
  }

  #afterOf(shard: number): bigint {
    const after = (this.#newestByShard.get(shard) ?? 0n) - BEHIND
    return after > 0n ? after : 0n
  }
}
