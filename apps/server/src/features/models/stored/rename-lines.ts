import { LIMITS, sizeText } from '@vaani/contracts'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import { linesOf } from '@vaani/service-kit/http/body/lines-of'
import { findExcess } from '@vaani/service-kit/http/body/json-body'
import { parseJson } from '@vaani/service-kit/http/body/parse-json'

/** Of a chat, with room for the members beside its body. */
const MAX_LINE_BYTES = 4 * 1024 * 1024 + 4096

/** The model of the requests of a file, by the name that they use and that of the upstream. */
export interface RenamedModel {
  readonly name: string
  readonly upstream: string
  readonly model: string
}

/** Passes the requests of a file on with the upstream's name of their model. @throws ApiError naming the line */
export async function* renameRequests(
  source: AsyncIterable<Buffer>,
  options: { choose: (model: string) => RenamedModel; onChosen: (chosen: RenamedModel) => void },
): AsyncGenerator<Buffer> {
  let chosen: RenamedModel | undefined
  let requests = 0
  const refuse = (number: number, problem: string): ApiError =>
    new ApiError('invalid_request', `file: line ${number} ${problem}`, { param: 'file' })
  const limits = {
    maxBytes: () => MAX_LINE_BYTES,
    maxLines: LIMITS.batchLinesMax,
    refuse: (number: number, problem: 'line' | 'lines') =>
      problem === 'line'
        ? refuse(number, `is over ${sizeText(MAX_LINE_BYTES)}`)
        : tooMany('batchLinesMax', 'lines'),
  }
  for await (const { line, number } of linesOf(source, limits)) {
    if (++requests > LIMITS.batchRequestsMax) throw tooMany('batchRequestsMax', 'requests')
    const excess = findExcess(line)
    if (excess !== null) throw refuse(number, excess)
    const request = readLine(line)
    const body = memberOf(request, 'body')
    const model = memberOf(body, 'model')
    if (!isObject(request) || !isObject(body) || typeof model !== 'string')
      throw refuse(number, 'is not a request with a body that has a model')
    if (chosen === undefined) options.onChosen((chosen = options.choose(model)))
    if (model !== chosen.name) throw refuse(number, 'has another model than the first request')
    yield Buffer.from(`${JSON.stringify({ ...request, body: { ...body, model: chosen.model } })}\n`)
  }
  if (chosen === undefined) throw new ApiError('invalid_request', 'file: has no requests', { param: 'file' })
}

const tooMany = (limit: 'batchLinesMax' | 'batchRequestsMax', what: string): ApiError =>
  new ApiError('invalid_request', `file: has more than ${LIMITS[limit]} ${what}`, { param: 'file' })

/** Limit on a line of a file that an upstream sends. A longer one fails. */
const MAX_RESULT_BYTES = 64 * 1024 * 1024

/** Passes the lines of a file of an upstream on with the name of the model that requests use. */
export async function* renameResults(
  source: AsyncIterable<Uint8Array>,
  model: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const refuse = () => new ApiError('service_unavailable', 'The upstream sent a line that is too long')
  for await (const { line } of linesOf(source, { maxBytes: () => MAX_RESULT_BYTES, refuse })) {
    const value = readLine(line)
    yield isObject(value)
      ? Buffer.from(`${JSON.stringify(renameIn(value, model))}\n`)
      : Buffer.concat([line, NEWLINE])
  }
}

const NEWLINE = Buffer.from('\n')

/** Renames the model of a request, or of the response to one. */
function renameIn(line: Readonly<Record<string, unknown>>, model: string): object {
  const { body, response } = line
  if (isObject(body) && typeof body['model'] === 'string') return { ...line, body: { ...body, model } }
  if (!isObject(response)) return line
  const answer = response['body']
  if (!isObject(answer) || typeof answer['model'] !== 'string') return line
  return { ...line, response: { ...response, body: { ...answer, model } } }
}

/** Parses a line; undefined if it is not JSON that would be written again as it is. */
function readLine(line: Buffer): unknown {
  try {
    return parseJson(line.toString())
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ApiError) return undefined
    throw error
  }
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
