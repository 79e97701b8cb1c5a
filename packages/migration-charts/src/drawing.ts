/** The narrow one fits a phone; the style sheet of the page shows one of both. */
export type ChartSize = 'narrow' | 'wide'
export const WIDTHS: Readonly<Record<ChartSize, number>> = { narrow: 340, wide: 900 }

/** Attributes of SVG. Colours are `currentColor` and CSS variables, so that a page colours them. */
export interface Attributes {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly height?: number
  readonly x1?: number
  readonly x2?: number
  readonly y1?: number
  readonly y2?: number
  readonly cx?: number
  readonly cy?: number
  readonly r?: number
  readonly fill?: string
  readonly stroke?: string
  readonly strokeWidth?: number
  readonly strokeDasharray?: string
  readonly textAnchor?: 'start' | 'middle' | 'end'
}

/** An element of SVG. */
export interface Shape {
  readonly element: 'rect' | 'line' | 'circle' | 'text'
  readonly attributes: Attributes
  readonly text: string
}

/** A chart as SVG, without what names it: a page gives it a label, and a table of the same numbers. */
export interface Drawing {
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
}

/** Where the marks are, inside the margins for the labels. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const rounded = (value: number): number => Math.round(value * 10) / 10

const shape = (element: Shape['element'], attributes: Attributes, text = ''): Shape => ({
  element,
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? rounded(value) : value,
    ]),
  ),
  text,
})

export const rect = (attributes: Attributes): Shape => shape('rect', attributes)
export const line = (attributes: Attributes): Shape =>
  shape('line', { stroke: 'currentColor', ...attributes })
export const circle = (attributes: Attributes): Shape => shape('circle', attributes)

/** Text whose middle is at `y`. */
export const text = (words: string, { y = 0, ...attributes }: Attributes): Shape =>
  shape('text', { fill: 'currentColor', ...attributes, y: y + TEXT_DROP }, words)

/** From the middle of a line of text at 12 px to its base. */
const TEXT_DROP = 4
const LABEL_GAP = 6

/** A label to the left of the marks. */
export const rowLabel = (words: string, { left }: Frame, y: number): Shape =>
  text(words, { x: left - LABEL_GAP, y, textAnchor: 'end' })

/** A label below the marks, with a line of the grid above it. */
export const columnLabel = (words: string, { top, bottom }: Frame, x: number): Shape[] => [
  line({ x1: x, x2: x, y1: top, y2: bottom, stroke: 'var(--line)' }),
  text(words, { x, y: bottom + 2 * LABEL_GAP, textAnchor: 'middle' }),
]
