import type { ReplaceLexiconRequest } from '@vaani/client'
import { usageError } from '../failure/cli-error.ts'
import { parseJson } from './parse-json.ts'

const FORM =
  'the file must be JSON: a list of entries with a term and a spoken_as, or an object with such entries'

/**
 * Reads the entries of a file, and the version that they replace if it has one. The service checks what they say.
 *
 * @throws CliError, which does not quote the text, if it has another form
 */
export function parseLexicon(text: string): ReplaceLexiconRequest {
  const value = readJson(text)
  const { entries, version } = Array.isArray(value)
    ? { entries: value, version: undefined }
    : isObject(value)
      ? { entries: value['entries'], version: value['version'] }
      : { entries: undefined, version: undefined }
  if (!Array.isArray(entries) || !entries.every(isEntry)) throw usageError(FORM)
  return { entries, ...(typeof version === 'string' && { version }) }
}

function readJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw usageError(FORM)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isEntry = (value: unknown): value is ReplaceLexiconRequest['entries'][number] =>
  isObject(value) && typeof value['term'] === 'string' && typeof value['spoken_as'] === 'string'
