import { writeSync } from 'node:fs'

/** Destination of log lines. */
export interface LogOutput {
  write(line: string): void
  /** Retries writing the waiting lines. */
  flush(): void
}

/** Further lines are dropped, so that a full output does not exhaust memory. */
const MAX_WAITING_BYTES = 1_048_576
/** Retry interval for a pipe with a slow reader, or a full disk. */
const RETRY_MS = 100

/**
 * Writes lines to a descriptor, and buffers up to 1 MiB while writing fails, so that the log continues once a full disk has
 * room again. Never throws, because there is nowhere to report that the log cannot be written. pino's own output would end the
 * process on such an error, and then try forever to write its last lines.
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
      // While writing fails, lines wait for the next retry.
      if (retry === undefined) flush()
    },
    flush,
  }
}
