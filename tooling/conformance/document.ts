import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { ALWAYS_SENT } from '@vaani/contracts'
import { z } from 'zod'

const require = createRequire(import.meta.url)

/** The published OpenAPI document. */
export const DOCUMENT_FILE = require.resolve('@vaani/contracts/openapi.json')

/** The published OpenAPI document of the migration worker. */
const MIGRATION_DOCUMENT_FILE = require.resolve('@vaani/contracts/openapi-migration.json')

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.json()),
  components: z.record(z.string(), z.record(z.string(), z.json())),
})

/** Returns one document of the paths of all services. They share no path, and use the same names for the same components. */
export async function readDocuments(): Promise<Json> {
  const read = async (file: string) => documentSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  const [server, migration] = await Promise.all([read(DOCUMENT_FILE), read(MIGRATION_DOCUMENT_FILE)])
  const kinds = Object.keys({ ...server.components, ...migration.components })
  const components = kinds.map((kind) => [
    kind,
    { ...server.components[kind], ...migration.components[kind] },
  ])
  const paths = { ...server.paths, ...migration.paths }
  return z.json().parse({ ...server, paths, components: Object.fromEntries(components) })
}

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
