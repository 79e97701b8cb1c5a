/** Minimum, maximum and RMS of each column, where 1 is full scale. A column without samples is silent. */
export interface Waveform {
  min: Float32Array<ArrayBuffer>
  max: Float32Array<ArrayBuffer>
  rms: Float32Array<ArrayBuffer>
}

const MOST_COLUMNS = 16_384
const MOST_ROWS = 256

function requireSize(value: number, most: number, name: string): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new RangeError(`The ${name} must be a whole number from 1 to ${most}`)
}

/**
 * Reduces samples to columns with the minimum, maximum and root mean square of each. Every sample counts, so a click
 * remains visible in audio of any length.
 *
 * @throws RangeError if the number of columns is not from 1 to 16384
 * @example
 * const { min, max } = measureWaveform(Int16Array.of(0, 16_384, -8192, 0), { columns: 2 })
 * console.log(max, min) // Float32Array [0.5, 0] Float32Array [0, -0.25]
 */
export function measureWaveform(samples: Int16Array | Float32Array, options: { columns: number }): Waveform {
  const { columns } = options
  requireSize(columns, MOST_COLUMNS, 'columns')
  const scale = samples instanceof Int16Array ? 1 / 32_768 : 1
  const min = new Float32Array(columns)
  const max = new Float32Array(columns)
  const rms = new Float32Array(columns)
  for (let column = 0; column < columns; column++) {
    const start = Math.floor((column * samples.length) / columns)
    // If there are fewer samples than columns, several columns show the same sample.
    const end = Math.min(
      samples.length,
      Math.max(start + 1, Math.floor(((column + 1) * samples.length) / columns)),
    )
    if (start >= end) continue
    let smallest = Number.POSITIVE_INFINITY
    let largest = Number.NEGATIVE_INFINITY
    let squares = 0
    for (let index = start; index < end; index++) {
      const value = samples[index] ?? 0
      if (value < smallest) smallest = value
      if (value > largest) largest = value
      squares += value * value
    }
    min[column] = smallest * scale
    max[column] = largest * scale
    rms[column] = Math.sqrt(squares / (end - start)) * scale
  }
  return { min, max, rms }
}

const clamp = (value: number): number => Math.max(-1, Math.min(1, value))

/** Returns a closed outline of columns one unit wide: along the tops to the right, and back along the bottoms. */
function outline(tops: Float32Array, bottoms: Float32Array, height: number): string {
  const place = (value: number, index: number) =>
    `${index + 0.5} ${Number(((1 - clamp(value)) * (height / 2)).toFixed(2))}`
  const points = [...Array.from(tops, place), ...Array.from(bottoms, place).toReversed()]
  return `M${points.join('L')}Z`
}

/**
 * Returns the outline of a waveform as the `d` of an SVG path. A column is one unit wide; full scale reaches both edges of
 * the height.
 *
 * @throws RangeError if the height is not above 0
 * @example
 * const waveform = measureWaveform(Float32Array.of(0.5, -0.5), { columns: 1 })
 * console.log(waveformPath(waveform, { height: 100 })) // M0.5 25L0.5 75Z
 */
export function waveformPath(waveform: Waveform, options: { height: number }): string {
  if (!(options.height > 0)) throw new RangeError('A path must be higher than 0')
  return outline(waveform.max, waveform.min, options.height)
}

/**
 * Returns an SVG image of a waveform: its outline, with its RMS inside, in the current text colour.
 *
 * @throws RangeError if the height is not above 0
 * @example
 * const waveform = measureWaveform(new Int16Array(16_000), { columns: 600 })
 * console.log(waveformSvg(waveform, { height: 120 }).length > 0) // true
 */
export function waveformSvg(waveform: Waveform, options: { height: number }): string {
  const { height } = options
  const path = waveformPath(waveform, options)
  const loudness = outline(
    waveform.rms,
    waveform.rms.map((value) => -value),
    height,
  )
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${waveform.max.length} ${height}" ` +
    `preserveAspectRatio="none" fill="currentColor" stroke="currentColor" stroke-linejoin="round" role="img">` +
    `<path opacity="0.5" d="${path}"/><path d="${loudness}"/></svg>`
  )
}

const BARS = ' ▁▂▃▄▅▆▇█'

/**
 * Renders a waveform for a terminal, one character per column. Each row has two halves, filled where the wave passes; a
 * single row shows bars instead, as high as the peak of their column. Newlines separate the rows.
 *
 * @throws RangeError if the number of rows is not from 1 to 256
 * @example
 * const waveform = measureWaveform(Float32Array.of(0, 0.2, 0.9, -0.9, 0.4, 0), { columns: 3 })
 * console.log(waveformText(waveform, { rows: 1 })) // ▂█▄
 */
export function waveformText(waveform: Waveform, options: { rows: number }): string {
  const { rows } = options
  requireSize(rows, MOST_ROWS, 'rows')
  const min = waveform.min.map(clamp)
  const max = waveform.max.map(clamp)
  if (rows === 1)
    return Array.from(max, (top, column) =>
      BARS.charAt(Math.ceil(Math.max(top, -(min[column] ?? 0)) * (BARS.length - 1))),
    ).join('')
  const isFilled = (half: number, column: number) =>
    (max[column] ?? 0) >= 1 - (half + 1) / rows && (min[column] ?? 0) <= 1 - half / rows
  const lines = Array.from({ length: rows }, (_, row) =>
    Array.from(max, (_, column) => {
      const isUpper = isFilled(row * 2, column)
      const isLower = isFilled(row * 2 + 1, column)
      if (isUpper) return isLower ? '█' : '▀'
      return isLower ? '▄' : ' '
    }).join(''),
  )
  return lines.join('\n')
}
