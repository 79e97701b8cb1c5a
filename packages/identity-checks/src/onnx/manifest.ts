import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { EngineError } from '../engine/engine-error.ts'
import { parseJson } from '../parse-json.ts'
import { withoutNulls } from '../without-nulls.ts'

const ofColours = z.union([z.number(), z.tuple([z.number(), z.number(), z.number()])]).transform((value) => {
  const each: readonly [number, number, number] = typeof value === 'number' ? [value, value, value] : value
  return each
})
const side = z.int().min(1).max(2048)

/** Input of a model; see `OnnxInput`. */
const inputShape = {
  file: z.string().min(1).max(500),
  width: side,
  height: side,
  mean: ofColours.default([0, 0, 0]),
  scale: ofColours.default([255, 255, 255]),
  colours: z.enum(['rgb', 'bgr']).default('rgb'),
}
const named = { name: z.string().regex(/^[\w.-]{1,60}$/), version: z.string().regex(/^[\w.-]{1,30}$/) }
const share = z.number().min(0).max(1)
const limits = z
  .strictObject({ passed: share, warning: share })
  .refine(({ passed, warning }) => warning <= passed, 'passed must not be below warning')

export const livenessManifest = z.strictObject({
  ...named,
  model: z.strictObject({
    ...inputShape,
    /** Output with the score; the first by default. */
    output: z.string().optional(),
    /** Index of the score of a live person in the output, and whether to apply softmax to the output first. */
    index: z.int().min(0).max(999).default(0),
    softmax: z.boolean().default(false),
  }),
  thresholds: limits,
})

export const faceManifest = z.strictObject({
  ...named,
  detector: z.strictObject({
    ...inputShape,
    /** Output with N scores, or N by 2 of which the second is that of a face. */
    scores: z.string(),
    /** Output with N boxes: left, top, right, bottom, as fractions of the picture. */
    boxes: z.string(),
    minConfidence: share,
    /** Boxes whose intersection over union exceeds this are one face. */
    maxOverlap: share.default(0.4),
  }),
  embedder: z.strictObject({
    ...inputShape,
    output: z.string().optional(),
    /** Margin around a face to include, as a fraction of the box. */
    margin: z.number().min(0).max(1).default(0.1),
  }),
  match: limits,
})

/**
 * Reads and validates a manifest. Members that are `null` count as absent.
 *
 * @throws EngineError `manifest_invalid`, naming the field
 */
export async function readManifest<Manifest>(file: string, schema: z.ZodType<Manifest>): Promise<Manifest> {
  const invalid = (what: string, cause?: unknown) =>
    new EngineError('manifest_invalid', `The manifest ${path.basename(file)} ${what}`, cause)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw invalid('cannot be read', error)
  })
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw invalid('is not valid JSON', error)
  }
  const result = schema.safeParse(withoutNulls(value))
  if (result.success) return result.data
  throw invalid(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '))
}
