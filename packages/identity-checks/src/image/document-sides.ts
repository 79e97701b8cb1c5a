import { type CheckResult, notRun, toScore } from '../check.ts'
import type { OpenedImage } from './open-image.ts'
import { describeTurned, unlikeBits } from './likeness.ts'

const MODEL = 'likeness/1'
/**
 * Bits in which two pictures of one side differ at most. Measured: 12 of a picture that was encoded again, 27 of one half
 * as large, and 32 and more of drawings of two people's passports.
 */
const SAME_SIDE = 32
/** Bits in which any two pictures differ: half of all. */
const DIFFERENT = 384

/** Checks that the back shows something else than the front, in whatever way either of them lies. */
export async function checkSides(front: OpenedImage, back: OpenedImage | null): Promise<CheckResult> {
  if (back === null) return notRun('document_sides', 'one_side')
  const [upright = []] = await describeTurned(front, [0])
  const backs = await describeTurned(back, [0, 90, 180, 270])
  const unlike = Math.min(...backs.map((one) => unlikeBits(upright, one)))
  const isSame = unlike <= SAME_SIDE
  return {
    check: 'document_sides',
    outcome: isSame ? 'warning' : 'passed',
    code: isSame ? 'sides_identical' : 'sides_differ',
    score: toScore(unlike / DIFFERENT),
    evidence: { unlike_bits: unlike, unlike_bits_min: SAME_SIDE + 1 },
    model: MODEL,
  }
}
