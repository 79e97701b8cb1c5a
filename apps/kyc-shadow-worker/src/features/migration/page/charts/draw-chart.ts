import { plot, type PlotOptions } from '@observablehq/plot'
import { parseHTML } from 'linkedom'
import { html, Markup } from '../html.ts'

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/** The narrow one fits a phone; the style sheet shows one of both. */
const WIDTHS = { narrow: 340, wide: 900 } as const
export type ChartSize = keyof typeof WIDTHS

/**
 * Draws a chart as SVG in both sizes.
 *
 * @param label says what it shows, for those who don't see it; a table beside it has the numbers
 * @param describe returns the options of Plot for one size. They must hold no text from outside: colours by CSS variables, no inline
 *   style, which the page's policy forbids
 */
export const drawChart = (label: string, describe: (size: ChartSize) => PlotOptions): Markup =>
  html`<figure>${(['narrow', 'wide'] as const).map((size) => draw(label, size, describe(size)))}</figure>`

function draw(label: string, size: ChartSize, options: PlotOptions): Markup {
  const drawing = plot({ ...options, document, width: WIDTHS[size], className: 'plot' })
  // The style sheet of the page has these rules.
  for (const style of drawing.querySelectorAll('style')) style.remove()
  // Names of marks, which groups may not have, and which say less than the label of the whole.
  for (const group of drawing.querySelectorAll('g[aria-label]')) group.removeAttribute('aria-label')
  return html`<div class="chart ${size}" role="img" aria-label="${label}">
    ${new Markup(drawing.outerHTML)}
  </div>`
}
