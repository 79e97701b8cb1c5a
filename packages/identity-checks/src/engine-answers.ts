import { z } from 'zod'
import { EngineError } from './engine/engine-error.ts'
import type { FaceDetection } from './faces/face-engine.ts'
import type { LivenessJudgement } from './liveness/liveness-engine.ts'
import { MODEL_NAME } from './engine/model-name.ts'

/** More faces and longer embeddings than any model has are a fault. */
const MAX_FACES = 100
const MAX_EMBEDDING = 4096

const fraction = z.number().min(0).max(1)

/** Limits of a score: good from `passed` on, bad below `warning`. */
export const scoreLimits = z
  .object({ passed: fraction, warning: fraction })
  .refine(({ passed, warning }) => warning <= passed, 'passed must not be below warning')

const model = z.string().regex(MODEL_NAME, 'must be like name/version')
const box = z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })

const livenessJudgement = z.object({ model, score: z.number().nullable(), thresholds: scoreLimits })

const faceDetection = z.object({
  model,
  minConfidence: fraction,
  match: scoreLimits,
  faces: z.array(
    z
      .array(
        z.object({
          box,
          confidence: z.number(),
          embedding: z
            .instanceof(Float32Array)
            .refine(({ length }) => length <= MAX_EMBEDDING, `has more than ${MAX_EMBEDDING} values`),
        }),
      )
      .max(MAX_FACES),
  ),
})

/** @throws EngineError `answer_invalid`, naming the field */
export const requireJudgement = (answer: unknown): LivenessJudgement => parseAnswer(livenessJudgement, answer)

/** @throws EngineError `answer_invalid`, naming the field */
export function requireDetection(answer: unknown, pictures: number): FaceDetection {
  const detection = parseAnswer(faceDetection, answer)
  if (detection.faces.length !== pictures)
    throw new EngineError(
      'answer_invalid',
      'The answer of the engine is invalid: faces: must have one list per picture',
    )
  return detection
}

/** The engine's values are not quoted. @throws EngineError `answer_invalid`, naming the field */
export function parseAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw new EngineError(
    'answer_invalid',
    `The answer of the engine is invalid: ${field}${issue?.message ?? 'unreadable'}`,
  )
}
