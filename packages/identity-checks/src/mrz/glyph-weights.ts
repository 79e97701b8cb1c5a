/** A network of one hidden layer: weights of 8 bits with one scale for each layer. */
export interface GlyphWeights {
  readonly hidden: number
  readonly inputScale: number
  /** Base64 of `hidden` rows of the pixels of a cell as signed bytes. */
  readonly input: string
  readonly inputBias: readonly number[]
  readonly outputScale: number
  /** Base64 of a row of `hidden` signed bytes for each character. */
  readonly output: string
  readonly outputBias: readonly number[]
}
