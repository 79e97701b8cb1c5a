import { createRequire } from 'node:module'
import { ALWAYS_SENT } from '@vaani/contracts'

const require = createRequire(import.meta.url)

/** The published OpenAPI document. */
export const DOCUMENT_FILE = require.resolve('@vaani/contracts/openapi.json')

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/**
 * Returns the document with all fields required that are optional for readers but that our server always sends.
 */
export function documentOfOurs(document: Json): Json {
  if (Array.isArray(document)) return document.map(documentOfOurs)
  if (typeof document !== 'object' || document === null) return document
  const copy = Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, documentOfOurs(value)]),
  )
  const { properties, required } = copy
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return copy
  const sent = Object.keys(properties).filter((name) => Object.hasOwn(Object(properties[name]), ALWAYS_SENT))
  return sent.length === 0
    ? copy
    : { ...copy, required: [...(Array.isArray(required) ? required : []), ...sent] }
}

/** Returns the path of a file in a package that this workspace depends on. */
export const fileOfPackage = (name: string, file: string): string =>
  require.resolve(`${name}/package.json`).replace(/package\.json$/, file)
