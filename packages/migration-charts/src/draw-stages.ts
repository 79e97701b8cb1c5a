import { type ChartSize, columnLabel, type Drawing, rect, rowLabel, text, WIDTHS } from './drawing.ts'
import { bands, scale, timeTick, timeTicks } from './scales.ts'
import { listStagePeriods, type Staged } from './stage-periods.ts'
import { isAnsweredByV2, STAGES } from './vocabulary.ts'
import type { ChartWords } from './words.ts'

const HEIGHT = 220
const LAST_FIRST = STAGES.toReversed()

/** Draws which stage was in effect when. */
export function drawStages(
  report: Staged,
  words: Pick<ChartWords, 'stages' | 'day'>,
  size: ChartSize,
): Drawing {
  const width = WIDTHS[size]
  const frame = { left: 104, right: width - 28, top: 8, bottom: HEIGHT - 24 }
  const periods = listStagePeriods(report)
  const [start, end] = [periods[0]?.from ?? new Date(0), periods.at(-1)?.to ?? new Date(0)]
  const x = scale([start.getTime(), end.getTime()], [frame.left, frame.right])
  const rows = bands(LAST_FIRST.length, [frame.top, frame.bottom])
  const yOf = (stage: (typeof STAGES)[number]) => rows.middle(LAST_FIRST.indexOf(stage))
  const bars = periods.map(({ stage, from, to }) =>
    rect({
      x: x(from.getTime()) - 0.5,
      y: yOf(stage) - rows.height / 2,
      width: x(to.getTime()) - x(from.getTime()) + 1,
      height: rows.height,
      fill: isAnsweredByV2(stage) ? 'var(--v2)' : 'var(--v1)',
    }),
  )
  const rollbacks = report.changes
    .filter(({ kind }) => kind === 'rollback')
    .map(({ created_at, from_stage }) =>
      text('↩', { x: x(Date.parse(created_at)) + 2, y: yOf(from_stage), fill: 'var(--bad)' }),
    )
  const ticks = timeTicks(start, end, size === 'wide' ? 8 : 3)
  return {
    width,
    height: HEIGHT,
    shapes: [
      ...ticks.flatMap((tick) => columnLabel(timeTick(tick, words.day), frame, x(tick.getTime()))),
      ...LAST_FIRST.map((stage) => rowLabel(words.stages[stage], frame, yOf(stage))),
      ...bars,
      ...rollbacks,
    ],
  }
}
