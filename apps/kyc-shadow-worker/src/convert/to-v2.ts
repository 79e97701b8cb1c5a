import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { LIMITS, SUBMIT_V1_PARTS } from '@vaani/contracts'

/** What a submission of version 2 has beside the parts of version 1. */
export interface V2Extras {
  /** Replaces that of the form. */
  readonly callbackUrl: string | null
  readonly storeMedia: boolean
  /** Refuses a form without a part that version 1 requires, although version 2 may do without it. */
  readonly requiresParts?: boolean
}

/** A form that is no submission of version 1. The message names the part, and never holds what was sent. */
export class FormError extends Error {
  override name = 'FormError'
  /** The refusal of a deployment that got the form. */
  readonly code: FormErrorCode
  /** The part at fault. */
  readonly param: string | null

  constructor(
    message: string,
    {
      code = 'invalid_request',
      param = null,
      cause,
    }: { code?: FormErrorCode; param?: string | null; cause?: unknown } = {},
  ) {
    super(param === null ? message : `${param}: ${message}`, { cause })
    this.code = code
    this.param = param
  }
}

type FormErrorCode = 'invalid_request' | 'missing_artifact' | 'payload_too_large'

const FILES = {
  front_image: 'front_image_b64',
  back_image: 'back_image_b64',
  liveness_video: 'liveness_video_b64',
} as const satisfies Partial<Record<keyof typeof SUBMIT_V1_PARTS, string>>
const PARTS = Object.keys(SUBMIT_V1_PARTS).length
/** More than any text of the contract has. */
const MOST_TEXT_BYTES = 16_384

/** A part of a form. A file is read before the next part arrives. */
export type Part =
  | { name: string; file: BusboyFileStream; mediaType: string }
  | { name: string; text: string }

/**
 * Turns a submission of version 1, a form, into the JSON of one of version 2 as it arrives: nothing is held but what one chunk
 * leaves over for the next.
 *
 * @param contentType of the form, with its boundary
 * @throws FormError
 */
export async function* convertToV2(
  form: Readable,
  contentType: string,
  { callbackUrl, storeMedia, requiresParts = false }: V2Extras,
): AsyncGenerator<string> {
  yield `{"options":${JSON.stringify({ store_media: storeMedia })}`
  if (callbackUrl !== null) yield `,"callback_url":${JSON.stringify(callbackUrl)}`
  const seen = new Set<string>()
  for await (const part of readParts(form, contentType)) {
    const { name } = part
    const definition = Object.entries(SUBMIT_V1_PARTS).find(([known]) => known === name)?.[1]
    if (definition === undefined) throw new FormError('The form has a part that is not known')
    if (seen.has(name)) throw new FormError('is there twice', { param: name })
    seen.add(name)
    if ('text' in part) {
      if (definition.kind === 'file')
        throw new FormError('must be a file', { param: name, code: 'missing_artifact' })
      if (name !== 'callback_url' || callbackUrl === null)
        yield `,${JSON.stringify(name)}:${JSON.stringify(part.text)}`
      continue
    }
    const field = Object.entries(FILES).find(([known]) => known === name)?.[1]
    if (field === undefined) throw new FormError('must be text', { param: name })
    yield `,"${field}":"`
    yield* encode(part.file)
    if (part.file.truncated) throw new FormError('is too large', { param: name, code: 'payload_too_large' })
    yield '"'
  }
  // Before the end, so that what was sent is no whole submission.
  if (requiresParts)
    for (const [name, { required }] of Object.entries(SUBMIT_V1_PARTS))
      if (required && !seen.has(name))
        throw new FormError('is missing', { param: name, code: 'missing_artifact' })
  yield '}'
}

const BYTES_PER_GROUP = 3

/** Encodes whole groups of three bytes, so that the parts of the text join without padding. */
async function* encode(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of file) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const whole = bytes.length - (bytes.length % BYTES_PER_GROUP)
    if (whole > 0) yield bytes.toString('base64', 0, whole)
    rest = bytes.subarray(whole)
  }
  if (rest.length > 0) yield rest.toString('base64')
}

/** Reads the parts of a form, each as it arrives. The form waits while the file of a part is not read. */
export async function* readParts(form: Readable, contentType: string): AsyncGenerator<Part> {
  const parser = openParser(contentType)
  const arrived: Part[] = []
  let wake = Promise.withResolvers<void>()
  const add = (part: Part): void => {
    arrived.push(part)
    wake.resolve()
  }
  let lastFile: BusboyFileStream | undefined
  parser.on('file', (name, file, _fileName, _encoding, mediaType) => {
    // Its reader, if it has one, gets the failure as well.
    file.on('error', () => undefined)
    lastFile = file
    add({ name, file, mediaType })
  })
  parser.on('field', (name, text, _isNameCut, isCut) => {
    if (isCut) parser.destroy(new FormError('is too long', { param: name }))
    else add({ name, text })
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => parser.destroy(new FormError('The form has too many parts')))
  let failure: Error | null = null
  let isWhole = false
  const parsing = pipeline(form, parser)
    .then(() => void (isWhole = true))
    .catch((error: unknown) => {
      failure = toFormError(error, form)
      // The parser leaves the file that it was in without an end.
      lastFile?.destroy(failure)
    })
    .finally(() => wake.resolve())
  try {
    for (;;) {
      const part = arrived.shift()
      if (part !== undefined) yield part
      else if (failure !== null) throw failure
      else if (isWhole) return
      else {
        wake = Promise.withResolvers<void>()
        if (arrived.length === 0) await wake.promise
      }
    }
  } finally {
    form.destroy()
    parser.destroy()
    await parsing
  }
}

function openParser(contentType: string): BusboyInstance {
  try {
    const limits = { parts: PARTS, fieldSize: MOST_TEXT_BYTES, fileSize: LIMITS.videoBytes }
    return new Busboy({ headers: { 'content-type': contentType }, limits })
  } catch (error) {
    throw new FormError('The form is not well-formed', { cause: error })
  }
}

function toFormError(error: unknown, form: Readable): Error {
  if (form.errored !== null) return form.errored
  return error instanceof FormError ? error : new FormError('The form is not well-formed', { cause: error })
}
