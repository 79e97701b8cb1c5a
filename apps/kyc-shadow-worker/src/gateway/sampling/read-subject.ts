import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { SUBMIT_V1_PARTS } from '@vaani/contracts'
import {
  type FileDigest,
  startFileDigest,
  SUBJECT_FILES,
  type SubjectFile,
  subjectOfMedia,
} from '../../rules/sampling/subject.ts'

/** Longer than any external id. */
const MOST_TEXT_BYTES = 4096
const MOST_PARTS = Object.keys(SUBMIT_V1_PARTS).length
/** A parser that does not keep up would hold what it was given. */
const MOST_WAITING_BYTES = 1_048_576

/** Finds out whom a form is about while it passes. */
export interface SubjectReader {
  write(chunk: Buffer): void
  /** The form is whole. */
  end(): void
  /** Resolves after `end`: null if it is no form that a deployment could read. */
  readonly subject: Promise<string | null>
  /** Nobody wants to know any more. */
  destroy(): void
}

/**
 * Reads a form only as far as its `external_id`. Without one, its media decides, at its end.
 *
 * @param onExternalId called as soon as it has passed
 */
export function readSubject(contentType: string, onExternalId: (externalId: string) => void): SubjectReader {
  const { promise: subject, resolve } = Promise.withResolvers<string | null>()
  let isOver = false
  const parser = openParser(contentType, { find, finish })

  function finish(found: string | null): void {
    isOver = true
    resolve(found)
    parser?.destroy()
  }
  function find(externalId: string): void {
    if (isOver) return
    finish(externalId)
    onExternalId(externalId)
  }
  if (parser === null) finish(null)
  return {
    write(chunk) {
      if (isOver || parser === null) return
      if (parser.writableLength > MOST_WAITING_BYTES) finish(null)
      else parser.write(chunk)
    },
    end() {
      if (!isOver) parser?.end()
    },
    subject,
    destroy: () => finish(null),
  }
}

/** Opens a parser of a whole form. Returns null if it does not take the type. */
function openParser(
  contentType: string,
  on: { find(externalId: string): void; finish(subject: string | null): void },
): BusboyInstance | null {
  const parser = createParser(contentType)
  const files: Partial<Record<SubjectFile, FileDigest>> = {}
  parser
    ?.on('field', (name, text) => {
      if (name === 'external_id') on.find(text)
    })
    .on('file', (name, file) => {
      // The parser fails as well, or the form is over.
      file.on('error', () => undefined)
      const known = SUBJECT_FILES.find((one) => one === name)
      if (known === undefined) return void file.resume()
      const digest = (files[known] = startFileDigest())
      file.on('data', (chunk: Buffer) => digest.update(chunk))
    })
    .on('finish', () => {
      const digests = Object.entries(files).map(([name, digest]) => [name, digest.digest()])
      on.finish(digests.length === 0 ? null : subjectOfMedia(Object.fromEntries(digests)))
    })
    .on('error', () => on.finish(null))
  return parser
}

function createParser(contentType: string): BusboyInstance | null {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: MOST_PARTS, fieldSize: MOST_TEXT_BYTES, fileSize: Number.POSITIVE_INFINITY },
    })
  } catch {
    return null
  }
}
