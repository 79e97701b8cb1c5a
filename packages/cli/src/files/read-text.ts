import type { Readable } from 'node:stream'
import { addAbortSignal } from 'node:stream'
import { usageError } from '../failure/cli-error.ts'

interface ReadOptions {
  maxBytes: number
  signal: AbortSignal
}

/** Reads a whole text and trims it. @throws CliError if it is longer than the limit */
export const readText = async (input: Readable, options: ReadOptions): Promise<string> =>
  (await readWhole(input, options)).trim()

/**
 * Reads a text as it is: UTF-8, or UTF-16 with its mark, as Excel and PowerShell write it.
 *
 * @throws CliError if it is longer than the limit
 */
export async function readWhole(input: Readable, { maxBytes, signal }: ReadOptions): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of addAbortSignal(signal, input)) {
    const piece = Buffer.from(chunk)
    bytes += piece.length
    if (bytes > maxBytes) throw usageError(`the input has more than ${maxBytes} bytes`)
    chunks.push(piece)
  }
  const whole = Buffer.concat(chunks)
  const isUtf16 = whole[0] === 0xff && whole[1] === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(whole)
}
