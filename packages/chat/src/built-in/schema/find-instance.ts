import { InstanceSearch, TOO_LARGE } from './instance-search.ts'
import type { Schema } from './read-schema.ts'
import { SchemaDocument } from './schema-document.ts'
import { SchemaRefusal } from '../schema-refusal.ts'
import { MAX_UNITS } from './search.ts'
import { Work } from '../work.ts'

/**
 * Finds a value that a JSON Schema allows, the same one each time: a search that builds values from the keywords and keeps
 * those that a validator accepts, at each level. Optional members are left out.
 *
 * @param options.within further schemas that the value has to fit, without references
 * @param options.work steps that it may take
 * @throws SchemaRefusal if none was found, with the reason
 */
export function findInstance(
  schema: Schema,
  options: { within?: readonly Schema[]; work?: Work } = {},
): unknown {
  const { within = [], work = new Work() } = options
  try {
    const search = new InstanceSearch(new SchemaDocument(schema, work), work)
    for (const value of search.candidates([schema, ...within], 'value', 0)) {
      if (unitsOf(value) > MAX_UNITS) throw new SchemaRefusal(TOO_LARGE)
      return value
    }
    throw new SchemaRefusal(search.refusal)
  } catch (error) {
    // The search of a schema with thousands of conditions at one place runs out of stack before it runs out of steps.
    if (error instanceof RangeError)
      throw new SchemaRefusal('is too deep for the built-in model', { cause: error })
    throw error
  }
}

/** Returns the length of a value as JSON, or any number beyond the longest. */
function unitsOf(value: unknown, left = MAX_UNITS): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return String(value).length
  let units = 2
  for (const [name, inner] of Object.entries(value)) {
    units += name.length + unitsOf(inner, left - units) + 4
    if (units > left) break
  }
  return units
}
