/** Network with one hidden layer; 8-bit weights with one scale per layer. */
export interface GlyphWeights {
  readonly hidden: number
  readonly inputScale: number
  /** Base64 of `hidden` rows with a signed byte per pixel of a cell. */
  readonly input: string
  readonly inputBias: readonly number[]
  readonly outputScale: number
  /** Base64 of one row of `hidden` signed bytes per character. */
  readonly output: string
  readonly outputBias: readonly number[]
}
