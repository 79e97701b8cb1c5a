import { isObject } from './read-schema.ts'
import type { Work } from '../work.ts'

/** Returns the same text for values that JSON Schema takes for equal. */
export function canonical(value: unknown, work: Work): string {
  work.spend()
  if (typeof value === 'string') work.spend(value.length / 64)
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, work)).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).toSorted()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name], work)}`).join()}}`
}

/** Whether two values are equal, by JSON Schema Core, section 4.2.2. */
export function areEqual(one: unknown, other: unknown, work: Work): boolean {
  work.spend()
  if (typeof one === 'string') work.spend(one.length / 256)
  if (one === other) return true
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => areEqual(item, other[index], work))
    )
  if (!isObject(one) || !isObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && areEqual(one[name], other[name], work))
  )
}
