import { t } from '../text/text.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** How long ago, or in how long, as a person says it; pointing at it shows the time. */
export function Age({ at, nowMs = Date.now() }: { at: string; nowMs?: number }) {
  const seconds = (Date.parse(at) - nowMs) / 1000
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  const span = t.formats.span(Math.trunc(Math.abs(seconds) / length), unit)
  return (
    <time dateTime={at} title={new Date(at).toISOString()}>
      {seconds < 0 ? t.age.ago(span) : t.age.ahead(span)}
    </time>
  )
}
