import { batchOptionsSchema, readInput } from '@vaani/contracts'
import { refusalOf } from './refusal.ts'
import type { BatchSink, Reading } from './sink.ts'
import { parseJson } from './parse-json.ts'

const NEWLINE = 0x0a

/** Reads an NDJSON body: the options of the batch, and its requests, which it passes on as they arrive. @throws ApiError */
export async function readLines(source: AsyncIterable<Buffer>, sink: BatchSink): Promise<Reading> {
  let reading: Reading | undefined
  for await (const { line, number } of linesOf(source)) {
    if (reading !== undefined) {
      await sink.add(line, ['lines', number])
      continue
    }
    const { value, issue } = parseJson(line)
    const path = ['lines', number]
    if (issue !== undefined) throw refusalOf([{ path, message: issue }])
    const parsed = readInput(batchOptionsSchema, value)
    if (!parsed.success)
      throw refusalOf(parsed.error.issues.map((found) => ({ ...found, path: [...path, ...found.path] })))
    reading = parsed.data
    sink.begin(reading.endpoint)
  }
  if (reading === undefined)
    throw refusalOf([{ path: ['lines', 1], message: 'must have the options of the batch' }])
  return reading
}

/** Splits at newlines, and leaves out blank lines: a body may have 32 million. The size of the body bounds that of a line. */
async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<{ line: Buffer; number: number }> {
  let parts: Buffer[] = []
  let number = 1
  for await (const chunk of source) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      if (end > from || parts.length > 0) {
        const line = Buffer.concat([...parts, chunk.subarray(from, end)])
        if (!isBlank(line)) yield { line, number }
        parts = []
      }
      number++
      from = end + 1
    }
    if (from < chunk.length) parts.push(Buffer.from(chunk.subarray(from)))
  }
  const last = Buffer.concat(parts)
  if (!isBlank(last)) yield { line: last, number }
}

const isBlank = (line: Buffer): boolean => line.toString('latin1').trim() === ''
