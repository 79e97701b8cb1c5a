import type { ChartSize, ChartWords, Drawing, Shape } from '@vaani/migration-charts'
import { createElement, type ReactNode } from 'react'
import { t } from '../../text/text.ts'

/** What the charts say. */
export const CHART_WORDS: ChartWords = {
  stages: t.migration.stages,
  severities: t.migration.severities,
  outcomes: t.migration.outcomes,
  count: t.formats.number,
  share: t.formats.share,
  duration: t.formats.duration,
  day: t.formats.day,
}

const SIZES: readonly ChartSize[] = ['narrow', 'wide']

interface ChartProps {
  /** Says what it shows, for those who don't see it. */
  label: string
  draw: (size: ChartSize) => Drawing
  /** What the marks mean: a character, or the class of a key. */
  legend?: readonly (readonly [mark: { key: string } | string, meaning: string])[]
  /** A table of the same numbers, which opens on demand. */
  children?: ReactNode
}

/** A chart of a migration, as the report of its worker draws it. The style sheet shows the size that fits. */
export const Chart = ({ label, draw, legend = [], children }: ChartProps) => (
  <figure className="chart">
    {legend.length > 0 && (
      <ul className="legend">
        {legend.map(([mark, meaning]) => (
          <li key={meaning}>
            {typeof mark === 'string' ? (
              <span aria-hidden="true">{mark}</span>
            ) : (
              <span className={`key ${mark.key}`} />
            )}
            {meaning}
          </li>
        ))}
      </ul>
    )}
    {SIZES.map((size) => (
      <Svg key={size} size={size} label={label} of={draw(size)} />
    ))}
    {children !== undefined && (
      <details>
        <summary>{t.migration.asTable}</summary>
        {children}
      </details>
    )}
  </figure>
)

const Svg = (props: { size: ChartSize; label: string; of: Drawing }) => {
  const { size, label, of } = props
  return (
    <svg className={size} role="img" aria-label={label} viewBox={`0 0 ${of.width} ${of.height}`}>
      {of.shapes.map(elementOf)}
    </svg>
  )
}

/** Its place is all that names a shape, and shapes are drawn anew together. */
const elementOf = ({ element, attributes, text }: Shape, index: number) =>
  createElement(element, { key: index, ...attributes }, text || undefined)
