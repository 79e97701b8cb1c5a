import { FormData } from 'undici'
import type { ChatFile, ChatObject } from '../provider.ts'

/** Encodes a request as JSON, or as a form if it has a file. The transport adds the content type of a form. */
export function encodeRequest(
  request: ChatObject | undefined,
  { file, headers }: { file: ChatFile | undefined; headers: Readonly<Record<string, string>> },
): { headers: Readonly<Record<string, string>>; body?: string | FormData } {
  if (request === undefined) return { headers }
  if (file === undefined)
    return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(request) }
  const body = new FormData()
  for (const [name, values] of Object.entries(request))
    for (const value of [values].flat()) body.append(name, String(value))
  body.append('file', file.content, file.name)
  return { headers, body }
}
