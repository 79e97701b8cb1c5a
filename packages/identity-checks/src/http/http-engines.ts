import { z } from 'zod'
import { parseAnswer, requireDetection, requireJudgement, scoreLimits } from '../engine-answers.ts'
import { cosineSimilarity } from '../faces/cosine-similarity.ts'
import type { FaceEngine } from '../faces/face-engine.ts'
import { type JpegPicture, toJpegPicture } from '../image/jpeg-picture.ts'
import type { LivenessEngine } from '../liveness/liveness-engine.ts'
import { createEngineServer, type EngineServer } from './engine-server.ts'
import type { HttpEngineOptions } from './options.ts'

const livenessAnswer = z.object({ model: z.string(), score: z.number().nullable(), thresholds: scoreLimits })

const faceAnswer = z.object({
  model: z.string(),
  min_confidence: z.number(),
  match: scoreLimits,
  pictures: z.array(
    z.object({
      faces: z.array(
        z.object({
          box: z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() }),
          confidence: z.number(),
          embedding: z.array(z.number()),
        }),
      ),
    }),
  ),
})

const toMember = ({ base64, width, height }: JpegPicture) => ({ jpeg_b64: base64, width, height })

/** Asks a server about pictures that are encoded already. */
export const livenessOf = (server: EngineServer): LivenessEngine<JpegPicture> => ({
  async judge(frames) {
    const members = frames.map(({ picture, timeMs }) => ({ time_ms: timeMs, ...toMember(picture) }))
    return requireJudgement(
      parseAnswer(livenessAnswer, await server.ask({ kind: 'liveness', frames: members })),
    )
  },
  [Symbol.asyncDispose]: async () => server.close(),
})

/** Like `livenessOf`. */
export const facesOf = (server: EngineServer): FaceEngine<JpegPicture> => ({
  async detect(pictures) {
    const answer = await server.ask({ kind: 'face', pictures: pictures.map(toMember) })
    const { model, min_confidence: minConfidence, match, pictures: found } = parseAnswer(faceAnswer, answer)
    const faces = found.map((one) =>
      one.faces
        .map(({ box, confidence, embedding }) => ({
          box,
          confidence,
          embedding: Float32Array.from(embedding),
        }))
        .toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height),
    )
    return requireDetection({ model, minConfidence, match, faces }, pictures.length)
  },
  similarity: (one, other) => cosineSimilarity(one.embedding, other.embedding),
  [Symbol.asyncDispose]: async () => server.close(),
})

/**
 * Creates a liveness engine that asks a server over HTTP. It sends nothing until then.
 *
 * @throws EngineError `setting_invalid`
 * @example
 * await using engine = createHttpLivenessEngine({ url: 'http://127.0.0.1:9000/', secret: 'whsec_…' })
 */
export function createHttpLivenessEngine(options: HttpEngineOptions): LivenessEngine {
  const engine = livenessOf(createEngineServer(options))
  return {
    async judge(frames) {
      const encoded = frames.map(async ({ picture, timeMs }) => ({
        picture: await toJpegPicture(picture),
        timeMs,
      }))
      return engine.judge(await Promise.all(encoded))
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}

/**
 * Creates a face engine that asks a server over HTTP. It sends nothing until then. Similarity is the cosine of the embeddings,
 * or 0 if it is negative.
 *
 * @throws EngineError `setting_invalid`
 * @example
 * await using engine = createHttpFaceEngine({ url: 'http://127.0.0.1:9000/', secret: 'whsec_…' })
 */
export function createHttpFaceEngine(options: HttpEngineOptions): FaceEngine {
  const engine = facesOf(createEngineServer(options))
  return {
    ...engine,
    detect: async (pictures) => engine.detect(await Promise.all(pictures.map(toJpegPicture))),
  }
}
