import { open } from 'node:fs/promises'
import { KYC_VERSIONS } from '../generated/choices.ts'
import { parseJson } from '../input/parse-json.ts'

export const MANIFEST = 'manifest.jsonl'
export const FILES = ['front_image', 'back_image', 'liveness_video'] as const
export type FileField = (typeof FILES)[number]

/** One stored submission. Its files are named as its store names them: by absolute path, or by key. */
export interface StoredSubmission extends Readonly<Record<FileField, string>> {
  readonly external_id?: string
  readonly verification_id?: string
  readonly answered_by?: (typeof KYC_VERSIONS)[number]
}

/** A line of the manifest: a submission, or why it is none. The reason quotes nothing of the line. */
export type ManifestLine = { readonly line: number } & (
  | { readonly submission: StoredSubmission }
  | { readonly refused: string }
)

/** A line cannot be sent. The others can, so the run continues. */
export class RefusedLine extends Error {}

/** Returns the name of a file in the store. @throws RefusedLine if the file is not inside */
export type Locate = (field: FileField, relative: string) => Promise<string>

const TEXTS = ['external_id', 'verification_id', 'answered_by'] as const
/** Longer than any line with paths and ids. */
const MAX_LINE_CHARACTERS = 20_000

/**
 * Reads the submissions that a manifest lists, one JSON object a line. Skips empty lines. `null` counts as absent.
 *
 * @throws Error of the file system, if there is no manifest
 */
export async function* readManifest(manifest: string, locate: Locate): AsyncGenerator<ManifestLine> {
  await using file = await open(manifest)
  let line = 0
  for await (const text of file.readLines()) {
    line += 1
    if (text.trim() !== '') yield { line, ...(await readLine(text, locate)) }
  }
}

async function readLine(
  text: string,
  locate: Locate,
): Promise<{ submission: StoredSubmission } | { refused: string }> {
  try {
    const value = parse(text)
    const [front_image, back_image, liveness_video] = await Promise.all(
      FILES.map((name) => {
        const relative = value[name]
        if (relative === undefined) throw new RefusedLine(`${name} is missing`)
        return locate(name, relative)
      }),
    )
    if (!front_image || !back_image || !liveness_video) throw new RefusedLine('a file is missing')
    const { external_id, verification_id, answered_by } = value
    const version = KYC_VERSIONS.find((one) => one === answered_by)
    if (answered_by !== undefined && version === undefined)
      throw new RefusedLine(`answered_by must be ${KYC_VERSIONS.join(' or ')}`)
    return {
      submission: {
        front_image,
        back_image,
        liveness_video,
        ...(external_id !== undefined && { external_id }),
        ...(verification_id !== undefined && { verification_id }),
        ...(version !== undefined && { answered_by: version }),
      },
    }
  } catch (error) {
    if (error instanceof RefusedLine) return { refused: error.message }
    throw error
  }
}

type Entries = Partial<Record<FileField | (typeof TEXTS)[number], string>>

function parse(text: string): Entries {
  if (text.length > MAX_LINE_CHARACTERS) throw new RefusedLine('the line is too long')
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw new RefusedLine('the line is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RefusedLine('the line is not a JSON object')
  const names: readonly string[] = [...FILES, ...TEXTS]
  for (const [name, entry] of Object.entries(value)) {
    if (!names.includes(name)) throw new RefusedLine(`only these fields are allowed: ${names.join(', ')}`)
    if (entry !== null && (typeof entry !== 'string' || entry === ''))
      throw new RefusedLine(`${name} must be a text`)
  }
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null))
}
