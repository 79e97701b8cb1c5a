import { writeSync } from 'node:fs'

/** Where lines of the log go. */
export interface LogOutput {
  write(line: string): void
  /** Tries again to write what waits. */
  flush(): void
}

/** Beyond it lines are dropped, so that an output without room costs no memory. */
const MAX_WAITING_BYTES = 1_048_576
/** For a pipe whose reader is behind, and a disk that had no room. */
const RETRY_MS = 100

/**
 * Writes lines to a descriptor, and keeps at most 1 MiB of them while that fails: the log goes on once a full disk has
 * room again. It never fails itself, because there is nowhere left to report that the log cannot be written. The output
 * of pino ends the process on such an error, and then tries for ever to write its last lines.
 */
export function createLogOutput(descriptor: number): LogOutput {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let retry: NodeJS.Timeout | undefined

  function flush(): void {
    let bytes = Buffer.concat(waiting, waitingBytes)
    try {
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(descriptor, bytes))
    } catch {
      retry ??= setTimeout(() => {
        retry = undefined
        flush()
      }, RETRY_MS).unref()
    }
    waiting = bytes.length > 0 ? [bytes] : []
    waitingBytes = bytes.length
  }

  return {
    write(line) {
      const bytes = Buffer.from(line)
      if (waitingBytes + bytes.length > MAX_WAITING_BYTES) return
      waiting.push(bytes)
      waitingBytes += bytes.length
      // While an output fails, lines wait for its next turn together.
      if (retry === undefined) flush()
    },
    flush,
  }
}
