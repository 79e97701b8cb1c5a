import { styleText } from 'node:util'
import type { CliEnvironment, OutputStream } from '../cli-environment.ts'

export type Tone = 'good' | 'bad' | 'open' | 'faint'

const FORMATS = { good: 'green', bad: 'red', open: 'yellow', faint: 'dim' } as const satisfies Record<
  Tone,
  string
>

/** The statuses of calls, verifications, deliveries and migrations; others have no tone. */
const TONES: Readonly<Record<string, Tone>> = {
  completed: 'good',
  approved: 'good',
  delivered: 'good',
  failed: 'bad',
  declined: 'bad',
  dead: 'bad',
  queued: 'open',
  'in-progress': 'open',
  pending: 'open',
  review: 'open',
  promote: 'good',
  met: 'good',
  roll_back: 'bad',
  broken: 'bad',
  hold: 'open',
  not_enough_evidence: 'open',
  open: 'open',
}

export const toneOf = (status: string): Tone | undefined => TONES[status]

/** Colours a text on a terminal, unless NO_COLOR is set (no-color.org). */
export type Style = (text: string, tone: Tone | undefined) => string

export function createStyle(
  { isTTY }: OutputStream,
  { variables }: Pick<CliEnvironment, 'variables'>,
): Style {
  const isColoured = isTTY === true && !variables['NO_COLOR'] && variables['TERM'] !== 'dumb'
  return (text, tone) =>
    isColoured && tone !== undefined ? styleText(FORMATS[tone], text, { validateStream: false }) : text
}
