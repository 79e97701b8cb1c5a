import { createHash } from 'node:crypto'
import { loadFaceApi } from '../../faces/face-api/load-face-api.ts'
import type { Frame } from '../../video/frame.ts'
import type { LivenessEngine } from '../liveness-engine.ts'
import { flattenFaces } from './flatten-faces.ts'
import { judgeMotion, THRESHOLDS } from './judge-motion.ts'
import { longestTake } from './longest-take.ts'
import { lookAtFace, type SeenFace } from './look-at-faces.ts'
import { measureMotion } from './measure-motion.ts'

/** Raise it with each change of what is measured or of its limits. */
const VERSION = 1
/** The fewest frames in which motion shows: three seconds at two frames a second have six. */
const LEAST_FRAMES = 5

/**
 * Creates a liveness engine that looks for lips that move by themselves. It takes the landmarks of the networks of `face-api`, undoes whatever
 * a flat or bent picture may do before a camera, and measures whether the lips still open and close, compared with the noise of the landmarks.
 *
 * A person who is silent goes to a reviewer. It does not see a replayed video, a generated face, or a mask or print with a hole for the
 * lips of whoever holds it. `face-api` says of the training of its landmarks only that it was on 35,000 pictures of faces.
 *
 * A challenge, such as numbers to say, would compare the same motion over time with what was asked.
 *
 * @example
 * await using engine = await createHeadMotionEngine()
 * const { score, thresholds } = await engine.judge(frames)
 */
export async function createHeadMotionEngine(): Promise<LivenessEngine> {
  const networks = await loadFaceApi()
  const digest = createHash('sha256')
  for (const weights of networks.weights) digest.update(weights)
  const model = `head-motion/${VERSION}+${digest.digest('hex').slice(0, 12)}`

  async function scoreOf(frames: readonly Frame[]): Promise<number | null> {
    const seen: (SeenFace & { timeMs: number })[] = []
    for (const { picture, timeMs } of frames) {
      const face = await lookAtFace(networks, picture)
      if (face !== null) seen.push({ ...face, timeMs })
    }
    const take = longestTake(seen)
    if (take.length < LEAST_FRAMES) return null
    return judgeMotion(measureMotion(await flattenFaces(take.map(({ look }) => look))))
  }
  return {
    judge: async (frames) => ({ model, score: await scoreOf(frames), thresholds: THRESHOLDS }),
    async [Symbol.asyncDispose]() {
      // Its WebAssembly memory is freed when the process ends.
    },
  }
}
