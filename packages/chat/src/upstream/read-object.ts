import { RESULTS } from '../endpoints.ts'
import type { ChatObject } from '../provider.ts'
import { isAnswer, isChoice, saysSomething } from './choices.ts'
import { type Exchange, failed, RefusedError } from './connection.ts'
import { parseJson } from './parse-json.ts'
import { toRefusal } from './refusal.ts'
import { isObject, readFault } from './upstream-error.ts'

const CHOICES = 'choices'
/** Members that are texts. The others are lists. */
const TEXTS: ReadonlySet<string> = new Set(['id', 'text', 'type'])

/** Parses a whole answer. @throws ChatError or RefusedError if it has no results */
export function readWhole(text: string, exchange: Exchange): ChatObject {
  const member = resultsOf(exchange)
  const answer = readObject(text, member)
  if (!hasResults(answer, member, isAnswer)) throw failed('The server of the model sent an empty answer')
  return answer
}

/** Parses a chunk, which may be without results, such as one with the usage alone. @throws ChatError or RefusedError */
export const readChunk = (text: string, exchange: Exchange): ChatObject =>
  readObject(text, memberOf(exchange))

/** Whether a chunk is a part of the answer. */
export const isPart = (chunk: ChatObject, exchange: Exchange): boolean =>
  hasResults(chunk, memberOf(exchange), saysSomething)

/** The member with the results of what is asked for. */
const resultsOf = ({ endpoint, target }: Exchange): string =>
  target !== undefined ? 'id' : endpoint === undefined ? CHOICES : RESULTS[endpoint]

/** The member that every chunk has. */
const memberOf = (exchange: Exchange): string => (exchange.file === undefined ? resultsOf(exchange) : 'type')

function readObject(text: string, member: string): ChatObject {
  const value = parseJson(text)
  if (!isObject(value)) throw failed('The server of the model sent something else than a JSON object')
  if (isObject(value['error'])) throw toFailure(value)
  const found = value[member]
  const isExpected = TEXTS.has(member) ? typeof found === 'string' : Array.isArray(found)
  if (!isExpected) throw failed(`The server of the model sent an object without ${member}`)
  if (member === CHOICES && Array.isArray(found) && !found.every(isChoice))
    throw failed('The server of the model sent a malformed choice')
  return value
}

function hasResults(value: ChatObject, member: string, isResult: (choice: ChatObject) => boolean): boolean {
  const found = value[member]
  if (!Array.isArray(found)) return true
  return found.some((item) => isObject(item) && (member !== CHOICES || isResult(item)))
}

/** Translates an error that comes with status 200. Some servers put the status into `code`. */
function toFailure(value: ChatObject): Error {
  const fault = readFault(value)
  const status = Number(fault.code)
  const refusal = toRefusal(status >= 400 && status < 600 ? status : 500, fault, undefined)
  return new RefusedError(refusal)
}
