import type { ChatObject } from '../provider.ts'
import { isObject } from './upstream-error.ts'

/** Whether the members that clients rely on have their types. Null and members that are left out are not wrong. */
export function isChoice(choice: unknown): choice is ChatObject {
  if (!isObject(choice)) return false
  const { index, finish_reason: reason, text, message, delta } = choice
  return (
    isOptional(index, Number.isSafeInteger(index)) &&
    isOptional(reason, typeof reason === 'string') &&
    isOptional(text, typeof text === 'string') &&
    isOptional(message, isMessage(message)) &&
    isOptional(delta, isMessage(delta))
  )
}

/** Some servers send the content in parts, as requests have it. */
const isMessage = (value: unknown): boolean =>
  isObject(value) &&
  isOptional(value['role'], typeof value['role'] === 'string') &&
  isOptional(value['content'], typeof value['content'] === 'string' || Array.isArray(value['content'])) &&
  isOptional(value['tool_calls'], Array.isArray(value['tool_calls']))

const isOptional = (value: unknown, isExpected: boolean): boolean =>
  value === undefined || value === null || isExpected

/** Whether a choice of a whole answer has an answer: a message, or the text of a completion. It may be an empty one. */
export const isAnswer = ({ message, text }: ChatObject): boolean =>
  typeof text === 'string' || (isObject(message) && Object.keys(message).length > 0)

/** Whether a choice of a chunk says something, or ends the answer. Many servers name the role first, before they can fail. */
export function saysSomething(choice: ChatObject): boolean {
  const { message, delta, text } = choice
  const said = isObject(delta) ? delta : isObject(message) ? message : undefined
  if (said === undefined && typeof text !== 'string') return false
  if (typeof choice['finish_reason'] === 'string' || isFilled(text)) return true
  return Object.entries(said ?? {}).some(([name, value]) => name !== 'role' && isFilled(value))
}

const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
