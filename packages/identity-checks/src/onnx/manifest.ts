import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { EngineError } from '../engine-error.ts'

const ofColours = z.union([z.number(), z.tuple([z.number(), z.number(), z.number()])]).transform((value) => {
  const each: readonly [number, number, number] = typeof value === 'number' ? [value, value, value] : value
  return each
})
const side = z.int().min(1).max(2048)

/** How a model takes a picture; see `OnnxInput`. */
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
    /** Which output holds the score; the first by default. */
    output: z.string().optional(),
    /** Which of its numbers is the score of a live person, and whether they are to be made probabilities by softmax. */
    index: z.int().min(0).max(999).default(0),
    softmax: z.boolean().default(false),
  }),
  thresholds: limits,
})

export const faceManifest = z.strictObject({
  ...named,
  detector: z.strictObject({
    ...inputShape,
    /** Outputs of N scores, or N by 2 of which the second is that of a face, and of N boxes. */
    scores: z.string(),
    /** Left, top, right, bottom, as shares of the picture. */
    boxes: z.string(),
    minConfidence: share,
    /** Boxes that share more of their area than this are one face. */
    maxOverlap: share.default(0.4),
  }),
  embedder: z.strictObject({
    ...inputShape,
    output: z.string().optional(),
    /** How much of the picture around a face is cut out with it, as a part of the box. */
    margin: z.number().min(0).max(1).default(0.1),
  }),
  match: limits,
})

/**
 * Reads a manifest.
 *
 * @throws EngineError `manifest_invalid` naming the field
 */
export async function readManifest<Manifest>(file: string, schema: z.ZodType<Manifest>): Promise<Manifest> {
  const invalid = (what: string, cause?: unknown) =>
    new EngineError('manifest_invalid', `The manifest ${path.basename(file)} ${what}`, cause)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw invalid('cannot be read', error)
  })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid('is no JSON', error)
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '))
}
