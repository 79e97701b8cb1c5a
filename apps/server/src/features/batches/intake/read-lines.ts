import { BATCH_ENDPOINTS, batchOptionsSchema, LIMITS, readInput, sizeText } from '@vaani/contracts'
import { bodyTooLarge, maxRequestBytes } from '../rules/check-request.ts'
import { parseJson } from './parse-json.ts'
import { type Issues, refusalOf } from './refusal.ts'
import type { BatchSink, Reading } from './sink.ts'
import { z } from 'zod'

const NEWLINE = 0x0a
/** White space of JSON, without the newline. */
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d])

/** The limit on the bytes of a line, and what is wrong with a longer one. */
interface LineLimit {
  maxBytes: number
  issue: Issues[number]
}

/** Of the first line, whose endpoint is not known yet. */
const maxFirstBytes = Math.max(...BATCH_ENDPOINTS.map(maxRequestBytes))
const FIRST_LIMIT: LineLimit = {
  maxBytes: maxFirstBytes,
  issue: { path: [], message: `must be at most ${sizeText(maxFirstBytes)}` },
}

/**
 * Reads an NDJSON body: the options of the batch, and its requests, which it passes on as they arrive. A batch file of OpenAI has no
 * options: its first request names the endpoint.
 *
 * @throws ApiError
 */
export async function readLines(source: AsyncIterable<Buffer>, sink: BatchSink): Promise<Reading> {
  let reading: Reading | undefined
  let limit = FIRST_LIMIT
  for await (const { line, number } of linesOf(source, () => limit)) {
    if (reading !== undefined) {
      await sink.add(line, ['lines', number])
      continue
    }
    const { value, issue } = parseJson(line)
    if (issue !== undefined) throw refusalOf(inLine(number, [{ path: [], message: issue }]))
    const isRequest = isRequestOfOpenAi(value)
    const parsed = isRequest ? readInput(firstRequestSchema, value) : readInput(batchOptionsSchema, value)
    if (!parsed.success) throw refusalOf(inLine(number, parsed.error.issues))
    reading = parsed.data
    const { endpoint } = reading
    sink.begin(endpoint)
    limit = { maxBytes: maxRequestBytes(endpoint), issue: bodyTooLarge(endpoint) }
    if (isRequest) await sink.add(line, ['lines', number])
  }
  if (reading === undefined)
    throw refusalOf([{ path: ['lines', 1], message: 'must have the options of the batch' }])
  return reading
}

const isRequestOfOpenAi = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, 'custom_id') &&
  Object.hasOwn(value, 'url')

/** The options that a request of OpenAI implies. The request itself is checked with the others. */
const firstRequestSchema = z
  .object({ url: batchOptionsSchema.shape.endpoint })
  .transform(({ url }) => batchOptionsSchema.parse({ endpoint: url }))

/** Splits at newlines, and leaves out blank lines. @throws ApiError if a line is too long, or there are too many */
async function* linesOf(
  source: AsyncIterable<Buffer>,
  limitOf: () => LineLimit,
): AsyncGenerator<{ line: Buffer; number: number }> {
  const parts: Buffer[] = []
  let bytes = 0
  let number = 1
  function take(part: Buffer): void {
    bytes += part.length
    const { maxBytes, issue } = limitOf()
    if (bytes > maxBytes) throw refusalOf(inLine(number, [issue]))
    parts.push(part)
  }
  function join(): Buffer {
    const line = Buffer.concat(parts.splice(0), bytes)
    bytes = 0
    return line
  }
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      if (end > from || bytes > 0) {
        take(chunk.subarray(from, end))
        const line = join()
        if (!isBlank(line)) yield { line, number }
      }
      if (++number > LIMITS.batchLinesMax) throw tooManyLines()
      from = end + 1
    }
    // The source may reuse its memory.
    if (from < chunk.length) take(Buffer.from(chunk.subarray(from)))
  }
  const last = join()
  if (!isBlank(last)) yield { line: last, number }
}

const inLine = (number: number, issues: Issues): Issues =>
  issues.map((issue) => ({ ...issue, path: ['lines', number, ...(issue.path ?? [])] }))

const tooManyLines = () =>
  refusalOf([{ path: ['lines'], message: `must be at most ${LIMITS.batchLinesMax}, with blank ones` }])

const isBlank = (line: Buffer): boolean => line.every((byte) => WHITE_SPACE.has(byte))
