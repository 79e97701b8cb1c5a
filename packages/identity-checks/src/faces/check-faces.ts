import { type CheckResult, notRun, unsure, worseResult } from '../check.ts'
import { requireDetection } from '../engine-answers.ts'
import { type Place, type PlacedPicture, toPlace } from '../image/place.ts'
import type { RgbPicture } from '../image/rgb-picture.ts'
import { cornersOf, mapCorners, type Size, turnBack } from '../image/turn.ts'
import { requireScore } from '../score.ts'
import type { DetectedFace, FaceDetection, FaceEngine } from './face-engine.ts'

/** Minimum number of frames with a face. The score is their median, because one may be blurred or turned away. */
const MIN_FRAMES = 3

/** A picture to compare the video with, and its source. Several of one source are the same picture, turned. */
export interface Portrait<Picture = RgbPicture> {
  readonly picture: Picture
  readonly source: 'reference_portrait' | 'document'
  /** The picture before it was scaled down and rotated clockwise; without it, no place is returned. */
  readonly original?: PlacedPicture & { readonly turnDegrees: number }
}

interface FoundFaces {
  readonly detection: FaceDetection
  /** Faces of each frame that the engine is confident of. */
  readonly inFrames: readonly (readonly DetectedFace[])[]
  readonly inPortraits: readonly {
    source: Portrait['source']
    face: DetectedFace | undefined
    places: readonly Place[]
  }[]
}

/**
 * Checks whether one person is in the video, and whether it is the person of every portrait; the worst match decides. Of a portrait in several
 * turns, the best match counts: whoever sends it could have turned it so. Neither proves liveness.
 *
 * @returns `face_presence` and `face_match`
 * @throws EngineError if the engine is at fault
 */
export async function checkFaces<Picture extends Size>(options: {
  engine: FaceEngine<Picture> | null
  /** Null if no program to extract frames is installed. */
  frames: readonly Picture[] | null
  /** Called only if there are frames. */
  readPortraits: () => Promise<readonly Portrait<Picture>[]>
}): Promise<readonly [presence: CheckResult, match: CheckResult]> {
  const { engine, frames, readPortraits } = options
  const bothUnsure = (code: string) => [unsure('face_presence', code), unsure('face_match', code)] as const
  if (engine === null) return [notRun('face_presence', 'no_engine'), notRun('face_match', 'no_engine')]
  if (frames === null) return bothUnsure('no_frame_extractor')
  if (frames.length === 0) return bothUnsure('too_few_frames')
  const found = await findFaces(engine, frames, await readPortraits())
  return [judgePresence(found), judgeMatch(engine, found)]
}

async function findFaces<Picture extends Size>(
  engine: FaceEngine<Picture>,
  frames: readonly Picture[],
  portraits: readonly Portrait<Picture>[],
): Promise<FoundFaces> {
  const pictures = [...frames, ...portraits.map(({ picture }) => picture)]
  const detection = requireDetection(await engine.detect(pictures), pictures.length)
  const found = detection.faces.map((faces) =>
    faces.filter(({ confidence }) => confidence >= detection.minConfidence),
  )
  return {
    detection,
    inFrames: found.slice(0, frames.length),
    inPortraits: portraits.map((portrait, index) => {
      const face = found[frames.length + index]?.[0]
      return { source: portrait.source, face, places: face === undefined ? [] : placesOf(face, portrait) }
    }),
  }
}

function placesOf({ box }: DetectedFace, { picture, original }: Portrait<Size>): Place[] {
  if (original === undefined) return []
  const { turnDegrees, width, height } = original
  const isSideways = turnDegrees % 180 !== 0
  const toOriginal = turnBack({
    degrees: turnDegrees,
    turned: picture,
    scaled: isSideways ? { width: picture.height, height: picture.width } : picture,
    original: { width, height },
  })
  return [toPlace(original, 'face', mapCorners(cornersOf({ ...box, x: box.left, y: box.top }), toOriginal))]
}

function judgePresence({ detection, inFrames: found }: FoundFaces): CheckResult {
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
    model: detection.model,
  }
}

/** Returns the worst match with a portrait; its evidence has the score of each. */
function judgeMatch(engine: Pick<FaceEngine, 'similarity'>, found: FoundFaces): CheckResult {
  const bySource = Map.groupBy(found.inPortraits, ({ source }) => source)
  const matches = Array.from(bySource, ([source, turns]) => ({
    source,
    result: turns.map((portrait) => matchPortrait(engine, found, portrait)).reduce(betterMatch),
  }))
  const worst = matches.map(({ result }) => result).reduce(worseResult, matches[0]?.result ?? NO_PORTRAIT)
  const each = matches.map(({ source, result }) => [source, result.score ?? result.code] as const)
  const places = matches.flatMap(({ result }) => result.places ?? [])
  return { ...worst, evidence: { ...worst.evidence, ...Object.fromEntries(each) }, places }
}

/** A match without a score has no face, or too few to compare with. */
const betterMatch = (one: CheckResult, other: CheckResult): CheckResult =>
  (other.score ?? -1) > (one.score ?? -1) ? other : one

const NO_PORTRAIT = unsure('face_match', 'no_face_in_portrait')

function matchPortrait(
  engine: Pick<FaceEngine, 'similarity'>,
  { detection, inFrames }: FoundFaces,
  { source, face, places }: FoundFaces['inPortraits'][number],
): CheckResult {
  if (face === undefined) return { ...NO_PORTRAIT, evidence: { portrait: source } }
  const likenesses = inFrames.flatMap(([largest]) =>
    largest ? [requireScore(engine.similarity(face, largest), detection.model)] : [],
  )
  if (likenesses.length < MIN_FRAMES) return { ...unsure('face_match', 'too_few_faces'), places }
  const score = likenesses.toSorted((a, b) => a - b)[likenesses.length >> 1] ?? 0
  const { passed, warning } = detection.match
  const outcome = score >= passed ? 'passed' : score >= warning ? 'warning' : 'failed'
  return {
    check: 'face_match',
    outcome,
    code: { passed: 'face_matches', warning: 'face_unsure', failed: 'face_mismatch' }[outcome],
    score,
    evidence: { frames: likenesses.length, portrait: source, passed_from: passed, failed_below: warning },
    places,
    model: detection.model,
  }
}
