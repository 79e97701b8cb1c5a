import type { Readable } from 'node:stream'
import { addAbortSignal } from 'node:stream'
import { usageError } from '../failure/cli-error.ts'

/** Reads a whole text and trims it. @throws CliError if it is longer than the limit */
export async function readText(
  input: Readable,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of addAbortSignal(signal, input)) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > maxBytes) throw usageError(`the input has more than ${maxBytes} bytes`)
    chunks.push(piece)
  }
  return Buffer.concat(chunks).toString('utf8').trim()
}
