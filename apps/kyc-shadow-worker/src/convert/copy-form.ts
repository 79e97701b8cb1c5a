import type { Readable } from 'node:stream'
import { FormError, readParts } from './to-v2.ts'
import { createFormWriter, type FormWriter } from './write-form.ts'

/** A form as it is made, and its type with its boundary. */
export interface CopiedForm {
  readonly contentType: string
  readonly body: AsyncGenerator<string | Uint8Array>
}

/**
 * Copies a submission of version 1 as it arrives, with another `callback_url` or without one: the second submission of the same
 * media must never call the caller back.
 *
 * @param options.seed see `createFormWriter`; a retry with an idempotency key needs the same bytes
 * @throws FormError while the body is read
 */
export function copyForm(
  form: Readable,
  contentType: string,
  { seed, callbackUrl }: { seed: string; callbackUrl: string | null },
): CopiedForm {
  const writer = createFormWriter(seed)
  return { contentType: writer.contentType, body: copyParts(form, contentType, writer, callbackUrl) }
}

async function* copyParts(
  form: Readable,
  contentType: string,
  writer: FormWriter,
  callbackUrl: string | null,
): AsyncGenerator<string | Uint8Array> {
  for await (const part of readParts(form, contentType)) {
    if (part.name === 'callback_url') continue
    if ('text' in part) {
      yield writer.text(part.name, part.text)
      continue
    }
    yield writer.fileStart(part.name, part.mediaType)
    yield* part.file
    if (part.file.truncated)
      throw new FormError('is too large', { param: part.name, code: 'payload_too_large' })
    yield writer.fileEnd
  }
  if (callbackUrl !== null) yield writer.text('callback_url', callbackUrl)
  yield writer.end
}
