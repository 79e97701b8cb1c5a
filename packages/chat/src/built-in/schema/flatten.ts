import { isOnlyReference } from './drafts.ts'
import { isObject, namesOf, type Schema, schemasOf } from './read-schema.ts'
import type { SchemaDocument } from './schema-document.ts'
import { dependentSchemas } from './schemas-within.ts'
import type { Work } from '../work.ts'

interface Scope {
  readonly document: SchemaDocument
  readonly work: Work
}

/** Returns the schemas that apply together, with those that they refer to. */
export function flatten(scope: Scope, all: readonly Schema[], known: readonly Schema[]): Schema[] {
  const { document, work } = scope
  const found = new Set<Schema>(known)
  const references = new Set<Schema>()
  let pending = [...all]
  while (pending.length > 0) {
    // The list grows as it is walked.
    for (const one of pending) {
      if (found.has(one) || references.has(one)) continue
      work.spend()
      if (isObject(one)) {
        pending.push(...document.targetsOf(one, [document.root]))
        if (isOnlyReference(one, document.draftOf(one))) references.add(one)
        else pending.push(...schemasOf(one['allOf']))
      }
      if (!references.has(one)) found.add(one)
    }
    pending = dependent(scope, found).filter((one) => !found.has(one) && !references.has(one))
  }
  return [...found]
}

/** Returns the schemas that required members call for. */
function dependent({ work }: Scope, parts: ReadonlySet<Schema>): Schema[] {
  const objects = [...parts].filter(isObject)
  const depending = objects.filter((part) => 'dependentSchemas' in part || 'dependencies' in part)
  if (depending.length === 0) return []
  const required = objects.flatMap((part) => namesOf(part['required']))
  work.spend(required.length)
  return depending.flatMap((part) => required.flatMap((name) => dependentSchemas(part, name)))
}
