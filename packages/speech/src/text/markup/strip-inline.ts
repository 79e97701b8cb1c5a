import { decodeNamedCharacterReference } from 'decode-named-character-reference'
import { emphasisAt, type Stretch } from './emphasis.ts'
import { readLatex } from './latex.ts'
import { endsHeaderCell } from './markdown-lines.ts'

/** A part of a text that is spoken as it is, or a stretch and what is said for it. */
export type Spoken = Stretch | (Stretch & { text: string })

/** How far the end of something may be from its beginning, in UTF-16 units. What takes more is text. */
const MAX_SPAN_UNITS = 400
const MAX_TARGET_UNITS = 2000

/** The end of a paragraph: a blank line, or one that begins something else. */
const PARAGRAPH_END = /\n[ \t\r]*(?:\n|[-*+•][ \t]|#{1,6}[ \t]|>|\||`{3}|~{3}|\d{1,9}[.)][ \t])/g
const SPECIAL = /[\\`*_~[!<$&|]/g
const ESCAPE = /^\\[!-/:-@[-`{-~]/

/** With brackets within it, two deep. */
const LABEL = /\[(?:[^[\]\\]|\\[\s\S]|\[(?:[^[\]\\]|\\[\s\S]|\[(?:[^[\]\\]|\\[\s\S])*\])*\])*\]/y
const TARGET =
  /\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/y
/** What begins like a target, but is text in parentheses. */
const NO_TARGET = /\(\s*[^\s()<]*(?:\([^\s()]*\)[^\s()]*)*\s+[^\s"'()]/y
const REFERENCE = /\[[^[\]]{0,400}\]/y
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000}|[^\s<>@]{1,64}@[^\s<>@]{1,255})>/y
const LINE_BREAK = /<br[ \t]?\/?>/iy
const CODE = /(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y
const DISPLAYED = /\$\$([^$]+)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)/y
const INLINE_MATHS = /\$(?![\s$])((?:\\[\s\S]|[^\\$\n])*?)(?<!\s)\$(?!\d)/y
/** An amount with its dollar: no mathematics follows, so nothing waits for another dollar. */
const AMOUNT = /\$\d[\d.,]*(?![\d.,]*[a-z]?\s?[\\^_=+])/y
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/y
const IS_MATHS = /[\\^_{}=+<>]|^[a-zA-Z]{1,2}$/

/** What is known of a text while it is read. */
export interface Known {
  /** The text as far as it is known. */
  text: string
  /** Whether nothing follows it. */
  isComplete: boolean
  /** Ends of emphasis that began in earlier lines: what is not spoken, by where it starts. */
  unspoken: Map<number, number>
}

/**
 * Finds what is spoken of a line with Markdown, and with LaTeX. What begins in the line may end in a later one.
 *
 * @returns the parts in order, and where to go on: before the end of the line if what is there depends on what follows
 */
export function stripInline(known: Known, line: Stretch): { spoken: Spoken[]; end: number } {
  const reader = new InlineReader(known, line)
  reader.read()
  return { spoken: reader.spoken, end: reader.at }
}

class InlineReader {
  readonly spoken: Spoken[] = []
  at: number
  readonly #text: string
  readonly #end: number
  readonly #stop: number
  readonly #isComplete: boolean
  readonly #unspoken: Map<number, number>

  constructor({ text, isComplete, unspoken }: Known, { start, end }: Stretch) {
    this.#text = text
    this.#end = text.length
    this.#stop = end
    this.at = start
    this.#isComplete = isComplete
    this.#unspoken = unspoken
  }

  /** Reads the line, or what is certain of it. */
  read(): void {
    while (this.at < this.#stop) {
      SPECIAL.lastIndex = this.at
      const special = Math.min(SPECIAL.exec(this.#text)?.index ?? this.#stop, this.#stop)
      this.#keep(special)
      if (special === this.#stop) break
      const ended = this.#unspoken.get(special)
      if (ended !== undefined) {
        this.#unspoken.delete(special)
        this.at = ended
      } else if (!this.#readSpecial()) return
    }
  }

  /** Speaks the text up to a place as it is. */
  #keep(until: number): void {
    if (until > this.at) this.spoken.push({ start: this.at, end: until })
    this.at = Math.max(this.at, until)
  }

  #say(text: string, until: number): void {
    this.spoken.push({ start: this.at, end: until, text })
    this.at = until
  }

  /** Where the paragraph ends, or how far it is known, within a limit. */
  #window(): { end: number; isKnown: boolean } {
    const limit = Math.min(this.at + MAX_SPAN_UNITS, this.#end)
    PARAGRAPH_END.lastIndex = this.at
    const paragraph = PARAGRAPH_END.exec(this.#text.slice(0, limit))?.index
    if (paragraph !== undefined) return { end: paragraph, isKnown: true }
    return { end: limit, isKnown: this.#isComplete || limit === this.at + MAX_SPAN_UNITS }
  }

  /** Reads the end of a cell in the first row of a table, or a sign of the text. */
  #readPipe(): boolean {
    const isCell = endsHeaderCell(this.#text, this.at, this.#isComplete)
    if (isCell === true) this.#say(',', this.at + 1)
    else if (isCell === false) this.#keep(this.at + 1)
    return isCell !== undefined
  }

  /** Reads what begins here. Returns whether that is known. */
  #readSpecial(): boolean {
    switch (this.#text.charAt(this.at)) {
      case '\\':
        return this.#readBackslash()
      case '$':
        return this.#readDollar()
      case '`':
        return this.#readMatch(CODE, ([, , code = '']) => code.replace(/^ ([\s\S]*\S[\s\S]*) $/, '$1'))
      case '<':
        return this.#readAngle()
      case '&':
        return this.#readEntity()
      case '|':
        return this.#readPipe()
      case '!':
      case '[':
        return this.#readLink()
      default:
        return this.#readEmphasis()
    }
  }

  /** What is special only if more follows than is known so far. */
  #mayGoOn(): boolean {
    return this.at + 1 >= this.#end && !this.#isComplete
  }

  #literal(length = 1): boolean {
    this.#keep(Math.min(this.at + length, this.#end))
    return true
  }

  #matchAt(pattern: RegExp, at: number, end: number): RegExpExecArray | null {
    pattern.lastIndex = at
    return pattern.exec(this.#text.slice(0, end))
  }

  /** Says something for what matches within the paragraph. What does not is text. */
  #readMatch(pattern: RegExp, say: (match: RegExpExecArray) => string | undefined): boolean {
    const { end, isKnown } = this.#window()
    const match = this.#matchAt(pattern, this.at, end)
    const next = match === null ? end : this.at + match[0].length
    if (!isKnown && next >= end) return false
    const text = match === null ? undefined : say(match)
    if (match === null || text === undefined)
      return this.#literal(/^[`$]+/.exec(this.#text.slice(this.at, end))?.[0].length)
    this.#say(text, next)
    return true
  }

  #readBackslash(): boolean {
    if (this.#mayGoOn()) return false
    const next = this.#text.charAt(this.at + 1)
    if (next === '(' || next === '[') {
      const { end, isKnown } = this.#window()
      const maths = this.#matchAt(DISPLAYED, this.at, end)
      if (maths === null && !isKnown) return false
      const latex = maths?.[2] ?? maths?.[3] ?? ''
      // Brackets around a link are often escaped too.
      if (maths !== null && IS_MATHS.test(latex.trim()) && !latex.includes('](')) {
        this.#say(readLatex(latex), this.at + maths[0].length)
        return true
      }
    }
    if (next === '\n') this.at++
    else if (ESCAPE.test(this.#text.slice(this.at, this.at + 2))) {
      this.at++
      return this.#literal()
    } else return this.#literal()
    return true
  }

  #readDollar(): boolean {
    if (this.#mayGoOn()) return false
    if (this.#text.startsWith('$$', this.at))
      return this.#readMatch(DISPLAYED, ([, latex = '']) => readLatex(latex))
    const amount = this.#matchAt(AMOUNT, this.at, this.#end)
    // More digits may follow, or a sign.
    if (amount !== null && (this.#isComplete || this.at + amount[0].length + 3 <= this.#end))
      return this.#literal()
    return this.#readMatch(INLINE_MATHS, ([, latex = '']) =>
      IS_MATHS.test(latex) ? readLatex(latex) : undefined,
    )
  }

  #readAngle(): boolean {
    if (/\s/.test(this.#text.charAt(this.at + 1))) return this.#literal()
    const lineBreak = this.#matchAt(LINE_BREAK, this.at, this.#end)
    if (lineBreak !== null) {
      this.#say('\n', this.at + lineBreak[0].length)
      return true
    }
    const close = /[\s>]/.exec(this.#text.slice(this.at, Math.min(this.at + MAX_TARGET_UNITS, this.#end)))
    const isKnown = this.#isComplete || close !== null || this.at + MAX_TARGET_UNITS <= this.#end
    // `<br />` has a space within it.
    if (!isKnown || (!this.#isComplete && /^<br\s?\/?$/i.test(this.#text.slice(this.at, this.#end))))
      return false
    const link = this.#matchAt(AUTOLINK, this.at, this.#end)
    if (link === null) return this.#literal()
    this.#say(link[1] ?? '', this.at + link[0].length)
    return true
  }

  #readEntity(): boolean {
    const match = this.#matchAt(ENTITY, this.at, this.#end)
    if (match === null) {
      const mayGoOn = !this.#isComplete && /^&[#A-Za-z0-9]{0,32}$/.test(this.#text.slice(this.at, this.#end))
      return mayGoOn ? false : this.#literal()
    }
    const [written, decimal, hexadecimal, name = ''] = match
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
    const sign = Number.isNaN(code)
      ? decodeNamedCharacterReference(name)
      : code <= 0x10_ff_ff && String.fromCodePoint(code)
    if (sign === false) return this.#literal()
    this.#say(sign, this.at + written.length)
    return true
  }

  #readLink(): boolean {
    const start = this.at
    const isImage = this.#text.charAt(start) === '!'
    if (isImage && this.#mayGoOn()) return false
    const at = isImage ? start + 1 : start
    if (this.#text.charAt(at) !== '[') return this.#literal()
    const { end, isKnown } = this.#window()
    const label = this.#matchAt(LABEL, at, end)?.[0]
    if (label === undefined) return isKnown ? this.#literal(at - start + 1) : false
    const next = at + label.length
    if (next >= this.#end && !this.#isComplete) return false
    if (/^\[\^[^\s\]]{1,64}\]$/.test(label)) {
      this.at = next
      return true
    }
    const target = this.#targetAt(next)
    if (target === undefined) return false
    if (target === next) return this.#literal(at - start + 1)
    const inner = stripInline(
      { text: this.#text.slice(0, next - 1), isComplete: true, unspoken: new Map() },
      { start: at + 1, end: next - 1 },
    )
    this.spoken.push(...inner.spoken)
    this.at = target
    return true
  }

  /** Where the target of a link ends; where it would begin if there is none; undefined if that is not known. */
  #targetAt(at: number): number | undefined {
    const start = this.#text.charAt(at)
    if (start !== '(' && start !== '[') return at
    const limit = Math.min(at + MAX_TARGET_UNITS, this.#end)
    if (start === '(' && this.#matchAt(NO_TARGET, at, limit) !== null) return at
    const found = this.#matchAt(start === '(' ? TARGET : REFERENCE, at, limit)
    if (found !== null) return at + found[0].length
    return this.#isComplete ||
      limit === at + MAX_TARGET_UNITS ||
      /\n[ \t]*\n/.test(this.#text.slice(at, limit))
      ? at
      : undefined
  }

  #readEmphasis(): boolean {
    const run = /^(?:\*+|_+|~+)/.exec(this.#text.slice(this.at, this.#end))?.[0] ?? ''
    // Codes that a telephone takes: `*123#`.
    const dialled = /^\*[\d*]{1,24}(?:#|$)/.exec(this.#text.slice(this.at, this.#end))?.[0]
    if (dialled !== undefined) {
      if (dialled.endsWith('#')) return this.#literal(dialled.length)
      if (!this.#isComplete) return false
    }
    const { end, isKnown } = this.#window()
    const found = emphasisAt(this.#text, { start: this.at, end }, isKnown)
    if (found === undefined) return false
    for (const { start, end: ended } of found) this.#unspoken.set(start, ended)
    if (found.length === 0) return this.#literal(run.length)
    // The first of the run may begin nothing: `***a*` is `**a`.
    if (!this.#unspoken.has(this.at)) this.#literal()
    return true
  }
}
