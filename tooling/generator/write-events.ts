import type { Json, JsonObject } from '@vaani/contracts/openapi'
import { HEADER } from './header.ts'
import { declare, JSON_VALUE } from './write-types.ts'

/** Writes the types of all webhook events, with every type that they refer to. */
export function writeEvents(webhooks: Json | undefined, schemas: JsonObject): string {
  const events = referencesIn(webhooks).filter((name) => name.endsWith('Event'))
  const used = new Set<string>()
  const add = (name: string): void => {
    if (used.has(name)) return
    used.add(name)
    referencesIn(schemas[name]).forEach(add)
  }
  events.forEach(add)
  const declarations = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => declare(name, schema))
  return `${HEADER}

${JSON_VALUE}

/** Any webhook event, discriminated by \`type\`. */
export type WebhookEvent = ${[...new Set(events)].join(' | ')}

${declarations.join('\n')}`
}

/** Returns the names of the components that a part of the document refers to. */
const referencesIn = (part: Json | undefined): string[] =>
  [...(JSON.stringify(part) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
