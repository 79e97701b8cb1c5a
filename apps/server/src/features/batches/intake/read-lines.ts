import { BATCH_ENDPOINTS, batchOptionsSchema, LIMITS, readInput, sizeText } from '@vaani/contracts'
import { linesOf } from '@vaani/service-kit/http/body/lines-of'
import { bodyTooLarge, maxRequestBytes } from '../rules/check-request.ts'
import { parseJson } from './parse-json.ts'
import { type Issues, refusalOf } from './refusal.ts'
import type { BatchSink, Reading } from './sink.ts'
import { z } from 'zod'

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
  const lines = linesOf(source, {
    maxBytes: () => limit.maxBytes,
    maxLines: LIMITS.batchLinesMax,
    refuse: (number, problem) =>
      problem === 'line' ? refusalOf(inLine(number, [limit.issue])) : tooManyLines(),
  })
  for await (const { line, number } of lines) {
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

const inLine = (number: number, issues: Issues): Issues =>
  issues.map((issue) => ({ ...issue, path: ['lines', number, ...(issue.path ?? [])] }))

const tooManyLines = () =>
  refusalOf([{ path: ['lines'], message: `must be at most ${LIMITS.batchLinesMax}, with blank ones` }])
