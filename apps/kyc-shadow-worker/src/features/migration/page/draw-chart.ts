import type { ChartSize, ChartWords, Drawing, Shape } from '@vaani/migration-charts'
import { html, Markup } from './html.ts'
import { countText, durationText, OUTCOME_WORDS, SEVERITY_WORDS, shareText, STAGE_WORDS } from './words.ts'

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** What the charts say. */
export const CHART_WORDS: ChartWords = {
  stages: STAGE_WORDS,
  severities: SEVERITY_WORDS,
  outcomes: OUTCOME_WORDS,
  count: countText,
  share: shareText,
  duration: durationText,
  day: (day) => DAY.format(day),
}

/**
 * Writes a chart as SVG in both sizes.
 *
 * @param label says what it shows, for those who don't see it; a table beside it has the numbers
 */
export const drawChart = (label: string, draw: (size: ChartSize) => Drawing): Markup =>
  html`<figure>
    ${(['narrow', 'wide'] as const).map(
      (size) => html`<div class="chart ${size}" role="img" aria-label="${label}">${svgOf(draw(size))}</div>`,
    )}
  </figure>`

const svgOf = ({ width, height, shapes }: Drawing): Markup =>
  html`<svg class="plot" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    ${shapes.map(elementOf)}
  </svg>`

function elementOf({ element, attributes, text }: Shape): Markup {
  const tag = new Markup(element)
  const written = Object.entries(attributes).map(
    ([name, value]) => html` ${new Markup(hyphenated(name))}="${value}"`,
  )
  return html`<${tag}${written}>${text}</${tag}>`
}

/** Names of attributes in SVG: `stroke-width` for `strokeWidth`. */
const hyphenated = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
