import { type CheckResult, notRun } from '../check.ts'
import type { RgbPicture } from '../image/rgb-picture.ts'
import { requireScore } from '../score.ts'
import type { DetectedFace, FaceEngine } from './face-engine.ts'

/** Minimum number of frames with a face. The score is their median, because one may be blurred or turned away. */
const MIN_FRAMES = 3

/** A picture to compare the video with, and its source. */
export interface Portrait {
  readonly picture: RgbPicture
  readonly source: 'reference_portrait' | 'document'
}

/**
 * Checks whether one person is in the video, and whether it is the person of the portrait. Neither proves liveness.
 *
 * @returns `face_presence` and `face_match`
 */
export async function checkFaces(options: {
  engine: FaceEngine | null
  /** Null if no program to extract frames is installed. */
  frames: readonly RgbPicture[] | null
  /** Called after the frames were searched for faces. */
  readPortrait: () => Promise<Portrait>
}): Promise<readonly [presence: CheckResult, match: CheckResult]> {
  const { engine, frames, readPortrait } = options
  const both = (code: string) => [notRun('face_presence', code), notRun('face_match', code)] as const
  if (engine === null) return both('no_engine')
  if (frames === null) return both('no_frame_extractor')
  if (frames.length === 0) return both('too_few_frames')
  const found: (readonly DetectedFace[])[] = []
  for (const frame of frames) found.push(await findFaces(engine, frame))
  return [judgePresence(engine, found), await judgeMatch(engine, found, await readPortrait())]
}

async function findFaces(engine: FaceEngine, picture: RgbPicture): Promise<readonly DetectedFace[]> {
  return (await engine.detect(picture)).filter(({ confidence }) => confidence >= engine.minConfidence)
}

function judgePresence(engine: FaceEngine, found: readonly (readonly DetectedFace[])[]): CheckResult {
  const withOne = found.filter((faces) => faces.length === 1).length
  const withSeveral = found.filter((faces) => faces.length > 1).length
  const half = found.length / 2
  const [outcome, code] =
    withSeveral > half
      ? (['warning', 'several_faces'] as const)
      : withOne + withSeveral <= half
        ? (['failed', 'no_face'] as const)
        : (['passed', 'face_found'] as const)
  return {
    check: 'face_presence',
    outcome,
    code,
    score: withOne / found.length,
    evidence: { frames: found.length, with_one_face: withOne, with_several: withSeveral },
    model: engine.model,
  }
}

async function judgeMatch(
  engine: FaceEngine,
  found: readonly (readonly DetectedFace[])[],
  { picture, source }: Portrait,
): Promise<CheckResult> {
  const [face] = await findFaces(engine, picture)
  if (face === undefined) return notRun('face_match', 'no_face_in_portrait')
  const likenesses = found.flatMap(([largest]) =>
    largest ? [requireScore(engine.similarity(face, largest), engine.model)] : [],
  )
  if (likenesses.length < MIN_FRAMES) return notRun('face_match', 'too_few_faces')
  const score = likenesses.toSorted((a, b) => a - b)[likenesses.length >> 1] ?? 0
  const { passed, warning } = engine.match
  const outcome = score >= passed ? 'passed' : score >= warning ? 'warning' : 'failed'
  return {
    check: 'face_match',
    outcome,
    code: { passed: 'face_matches', warning: 'face_unsure', failed: 'face_mismatch' }[outcome],
    score,
    evidence: { frames: likenesses.length, portrait: source, passed_from: passed, failed_below: warning },
    model: engine.model,
  }
}
