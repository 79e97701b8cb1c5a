import type { SpokenText } from '../spoken-text.ts'
import { closesFence, type LineStart, MAX_LINE_UNITS, readLineStart } from './markdown-lines.ts'
import type { Stretch } from './emphasis.ts'
import { type Known, type Spoken, stripInline } from './strip-inline.ts'

/** Whether Markdown and LaTeX in a text are left out, or are text like any other. Other markup, such as SSML, is always text. */
export type Markup = 'keep' | 'strip'

/** Reads a text that arrives in pieces, and returns it without its markup: the same as of the whole, wherever the pieces end. */
export interface MarkupReader {
  push(piece: string): SpokenText
  /** Returns what is left, as if the text ended here. It may go on with a new line, or within code. */
  flush(): SpokenText
  /** Returns how many UTF-16 units wait for what follows them. */
  heldUnits(): number
}

export function createMarkupReader(markup: Markup): MarkupReader {
  return markup === 'strip' ? new MarkdownReader() : createPlainReader()
}

function createPlainReader(): MarkupReader {
  let offset = 0
  return {
    push(piece) {
      const written = new Written()
      written.add(piece, offset)
      offset += piece.length
      return written
    },
    flush: () => new Written(),
    heldUnits: () => 0,
  }
}

/** A text that is put together. */
class Written implements SpokenText {
  text = ''
  readonly starts: number[] = []
  readonly ends: number[] = []

  /** Adds a text that stands at an offset of the original. */
  add(text: string, offset: number): void {
    this.text += text
    for (let unit = 0; unit < text.length; unit++) {
      this.starts.push(offset + unit)
      this.ends.push(offset + unit + 1)
    }
  }

  /** Adds a text that is said for a stretch of the original. */
  addFor(text: string, start: number, end: number): void {
    this.text += text
    for (let unit = 0; unit < text.length; unit++) {
      this.starts.push(start)
      this.ends.push(end)
    }
  }
}

/** The most that one character takes. */
const CHARACTER_UNITS = 2

/** Bounded: it holds what begins like markup, at most two thousand units. */
class MarkdownReader implements MarkupReader {
  /** Text that was not read yet, after the last character that was, and its place in the whole. */
  #rest = ''
  #offset = 0
  #from = 0
  #isLineStart = true
  #fence: string | undefined
  readonly #unspoken = new Map<number, number>()
  #isInTable = false
  /** Whether the document has blocks of Markdown, whether the last one was a list, and whether code may begin here. */
  #hasBlocks = false
  #isInList = false
  #isAfterBlank = true
  /** Line breaks at the end of what was written; two end a sentence. Nothing was written before the first text. */
  #breaks = 2

  push(piece: string): SpokenText {
    this.#rest += piece
    return this.#read(false)
  }

  flush(): SpokenText {
    const written = this.#read(true)
    this.#isLineStart = true
    this.#unspoken.clear()
    return written
  }

  heldUnits(): number {
    return this.#rest.length - this.#from
  }

  #read(isComplete: boolean): SpokenText {
    const written = new Written()
    let at = this.#from
    while (at < this.#rest.length) {
      const next = this.#isLineStart
        ? this.#readLineStart(written, at, isComplete)
        : this.#readLine(written, at, isComplete)
      if (next === undefined) break
      at = next
    }
    this.#forget(at)
    return written
  }

  /** Forgets what was read up to a place. */
  #forget(until: number): void {
    const length = Math.max(0, until - CHARACTER_UNITS)
    this.#rest = this.#rest.slice(length)
    this.#offset += length
    this.#from = until - length
    const unspoken = [...this.#unspoken]
    this.#unspoken.clear()
    for (const [start, end] of unspoken) this.#unspoken.set(start - length, end - length)
  }

  /** Reads the start of a line, or all of it. Returns where to go on; undefined if that depends on what follows. */
  #readLineStart(written: Written, at: number, isComplete: boolean): number | undefined {
    const newline = this.#rest.indexOf('\n', at)
    const end = newline === -1 ? this.#rest.length : newline
    const isWhole = newline !== -1 || isComplete
    const line = this.#rest.slice(at, end).replace(/\r$/, '')
    const next = newline === -1 ? end : newline + 1
    if (this.#fence !== undefined) {
      if (!isWhole && line.length <= MAX_LINE_UNITS) return undefined
      if (isWhole && closesFence(line, this.#fence)) this.#fence = undefined
      return next
    }
    const start = readLineStart(line, isWhole, {
      isInTable: this.#isInTable,
      mayBeCode: this.#hasBlocks && this.#isAfterBlank && !this.#isInList,
    })
    if (start === undefined) return undefined
    this.#note(line, start)
    switch (start.kind) {
      case 'fence':
        this.#fence = start.fence
        this.#break(written, at)
        return next
      case 'skip':
      case 'delimiter':
      case 'code':
        this.#break(written, at)
        return next
      case 'heading':
      case 'row':
        this.#break(written, at)
        this.#readCells(written, start.kind, { start: at + start.from, end: at + start.to })
        this.#break(written, end)
        return next
      case 'text':
        if (start.isBlock) this.#break(written, at)
        this.#isLineStart = false
        return at + start.from
    }
  }

  /** Notes what a line means to the next ones. */
  #note(line: string, { kind, ...start }: LineStart): void {
    const isBlank = line.trim() === ''
    const isItem = 'isBlock' in start && start.isBlock
    this.#isInTable = kind === 'delimiter' || (this.#isInTable && kind === 'row')
    this.#hasBlocks ||= isItem || (kind !== 'text' && kind !== 'code')
    // An indented line goes on with the item of a list.
    if (!isBlank && !/^[ \t]/.test(line)) this.#isInList = isItem
    this.#isAfterBlank = isBlank || kind === 'code' || (kind !== 'text' && kind !== 'fence')
  }

  /** Ends the sentence, if something was written. */
  #break(written: Written, at: number): void {
    for (; this.#breaks < 2; this.#breaks++) written.addFor('\n', this.#offset + at, this.#offset + at)
  }

  #readCells(
    written: Written,
    kind: 'heading' | 'row',
    { start, end }: { start: number; end: number },
  ): void {
    const cells =
      kind === 'heading' ? [this.#rest.slice(start, end)] : this.#rest.slice(start, end).split(/(?<!\\)\|/)
    let from = start
    let hasText = false
    for (const cell of cells) {
      const cellStart = from
      from += cell.length + 1
      if (cell.trim() === '') continue
      if (hasText) written.addFor(', ', this.#offset + cellStart - 1, this.#offset + cellStart)
      hasText = true
      const lead = cell.length - cell.trimStart().length
      const end = cellStart + cell.trimEnd().length
      const text = this.#rest.slice(0, end)
      this.#strip(written, { start: cellStart + lead, end }, { text, isComplete: true, unspoken: new Map() })
    }
  }

  /** Reads on in a line. Returns where to go on; undefined if that depends on what follows, once what is certain was read. */
  #readLine(written: Written, at: number, isComplete: boolean): number | undefined {
    const newline = this.#rest.indexOf('\n', at)
    if (newline === at) {
      this.#add(written, { start: at, end: at + 1 })
      this.#isLineStart = true
      return at + 1
    }
    const end = newline === -1 ? this.#rest.length : newline
    const next = this.#strip(
      written,
      { start: at, end },
      { text: this.#rest, isComplete, unspoken: this.#unspoken },
    )
    return next === at ? undefined : next
  }

  #strip(written: Written, line: Stretch, known: Known): number {
    const { spoken, end } = stripInline(known, line)
    for (const part of spoken) this.#add(written, part)
    return end
  }

  #add(written: Written, part: Spoken): void {
    const text = 'text' in part ? part.text : this.#rest.slice(part.start, part.end)
    if ('text' in part) written.addFor(text, this.#offset + part.start, this.#offset + part.end)
    else written.add(text, this.#offset + part.start)
    const breaks = /\n*$/.exec(text)?.[0].length ?? 0
    if (text !== '') this.#breaks = breaks === text.length ? this.#breaks + breaks : breaks
  }
}
