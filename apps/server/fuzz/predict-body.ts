import { isUtf8 } from 'node:buffer'
import { findExcess } from '@vaani/service-kit/http/body/json-body'
import { parseJson } from '@vaani/service-kit/http/body/parse-json'
import { ApiError } from '@vaani/service-kit/http/errors/api-error'
import type { FuzzCase } from './fuzz-case.ts'

/** The result of reading a request body: a value, undefined if there is none, or a rejection. */
export type ReadBody = { kind: 'value'; value: unknown } | { kind: 'refused'; status: number }

const JSON_TYPE = /^(?:application|text)\/json(\s*;[^,]*)?$/i

/** Predicts how a route that accepts JSON or no body reads the body. */
export function predictBody({ method, contentType, framing, body: { bytes } }: FuzzCase): ReadBody {
  if (method === 'GET' || method === 'HEAD') return { kind: 'value', value: undefined }
  if (contentType === null)
    // With chunked framing, the server cannot know in advance that the body is empty.
    return bytes === null || (bytes.length === 0 && framing === 'length')
      ? { kind: 'value', value: undefined }
      : { kind: 'refused', status: 415 }
  if (!JSON_TYPE.test(contentType)) return { kind: 'refused', status: 415 }
  if (bytes === null || bytes.length === 0) return { kind: 'value', value: undefined }
  return readJson(bytes)
}

function readJson(bytes: Buffer): ReadBody {
  const refused: ReadBody = { kind: 'refused', status: 400 }
  if (!isUtf8(bytes) || findExcess(bytes) !== null) return refused
  try {
    return { kind: 'value', value: parseJson(bytes.toString()) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ApiError) return refused
    throw error
  }
}
