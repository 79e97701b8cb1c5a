import type { MigrationReport, PairOutcome } from '@vaani/contracts/migration'
import { type ChartSize, type Drawing, rect, rowLabel, text, WIDTHS } from './drawing.ts'
import { bands, scale } from './scales.ts'
import { OUTCOMES } from './vocabulary.ts'
import type { ChartWords } from './words.ts'

/** Draws how many pairs had which outcome, the best at the top. */
export function drawOutcomes(
  outcomes: MigrationReport['outcomes'],
  words: Pick<ChartWords, 'outcomes' | 'count'>,
  size: ChartSize,
): Drawing {
  const width = WIDTHS[size]
  const height = 16 + 26 * outcomes.length
  const frame = { left: 136, right: width - 56, top: 8, bottom: height - 8 }
  const bestFirst = outcomes.toSorted(
    (one, other) => OUTCOMES.indexOf(other.outcome) - OUTCOMES.indexOf(one.outcome),
  )
  // A few failures among many agreements would be invisible on a linear scale.
  const most = Math.max(1, ...outcomes.map(({ pairs }) => pairs))
  const x = scale([0, most], [frame.left, frame.right], Math.log1p)
  const rows = bands(bestFirst.length, [frame.top, frame.bottom])
  const shapes = bestFirst.flatMap(({ outcome, pairs }, index) => {
    const y = rows.middle(index)
    return [
      rowLabel(words.outcomes[outcome], frame, y),
      rect({
        x: frame.left,
        y: y - rows.height / 2,
        width: x(pairs) - frame.left,
        height: rows.height,
        fill: colourOf(outcome),
      }),
      text(words.count(pairs), { x: x(pairs) + 5, y }),
    ]
  })
  return { width, height, shapes }
}

function colourOf(outcome: PairOutcome): string {
  if (outcome === 'agreed') return 'var(--v2)'
  return outcome === 'waiting' ? 'var(--errors)' : 'var(--serious)'
}
