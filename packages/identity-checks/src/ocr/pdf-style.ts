import type { init } from '@embedpdf/pdfium'
import type { PrintStyle } from './headings/print-style.ts'

export type Pdfium = Awaited<ReturnType<typeof init>>

/** Names of bold fonts, such as `Arial-BoldMT`, `Lato-Heavy`, and `CMBX12` and `SFBX1000` of TeX. */
const BOLD_FONT = /bold|black|heavy|semibd|demi(?!light)|(?:^|\+)(?:cmbx|cmssbx|sfbx|sfssbx|ecbx|lmbx)/i
/** Weight from which a font is bold, from CSS. */
const BOLD_WEIGHT = 600
/** From PDF 32000-1, 9.3.6: fills letters and strokes their outlines, which makes a regular font bold. */
const FILL_AND_STROKE = 2
const MATRIX_FLOATS = 6
const FLOAT_BYTES = 4
const MAX_NAME_BYTES = 200

/** Reads the print of the letters of a text page. Dispose of it before the page. */
export class StyleReader implements Disposable {
  readonly #library: Pdfium
  readonly #text: number
  readonly #pixelsPerPoint: number
  readonly #memory: number
  /** By text object. All letters of one have the same font and size. */
  readonly #styles = new Map<number, PrintStyle>()
  /** Whether a font is bold, by font. */
  readonly #fonts = new Map<number, boolean>()

  constructor(library: Pdfium, text: number, pixelsPerPoint: number) {
    this.#library = library
    this.#text = text
    this.#pixelsPerPoint = pixelsPerPoint
    this.#memory = library.pdfium.wasmExports.malloc(Math.max(MATRIX_FLOATS * FLOAT_BYTES, MAX_NAME_BYTES))
  }

  /** Returns null for white space that the library adds. */
  styleOf(character: number): PrintStyle | null {
    const object = this.#library.FPDFText_GetTextObject(this.#text, character)
    if (object === 0) return null
    const style = this.#styles.get(object) ?? this.#readStyle(object, character)
    this.#styles.set(object, style)
    return style
  }

  #readStyle(object: number, character: number): PrintStyle {
    const font = this.#library.FPDFTextObj_GetFont(object)
    const isBold = this.#fonts.get(font) ?? this.#isBold(font)
    this.#fonts.set(font, isBold)
    return {
      size:
        Math.abs(this.#library.FPDFText_GetFontSize(this.#text, character)) *
        this.#scaleOf(character) *
        this.#pixelsPerPoint,
      isBold: isBold || this.#library.FPDFTextObj_GetTextRenderMode(object) === FILL_AND_STROKE,
    }
  }

  /** Returns by how much letters are taller than the size of their font says. */
  #scaleOf(character: number): number {
    if (!this.#library.FPDFText_GetMatrix(this.#text, character, this.#memory)) return 1
    const [c, d] = [2, 3].map((index) =>
      this.#library.pdfium.getValue(this.#memory + index * FLOAT_BYTES, 'float'),
    )
    return Math.hypot(c ?? 0, d ?? 1)
  }

  #isBold(font: number): boolean {
    if (font === 0) return false
    const bytes = this.#library.FPDFFont_GetBaseFontName(font, this.#memory, MAX_NAME_BYTES)
    const name = bytes > MAX_NAME_BYTES ? '' : this.#library.pdfium.UTF8ToString(this.#memory)
    return BOLD_FONT.test(name) || this.#library.FPDFFont_GetWeight(font) >= BOLD_WEIGHT
  }

  [Symbol.dispose](): void {
    this.#library.pdfium.wasmExports.free(this.#memory)
  }
}
