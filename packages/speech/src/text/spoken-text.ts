/** A text as it is spoken. Each of its UTF-16 units came from a stretch of the original, end exclusive. */
export interface SpokenText {
  text: string
  /** Original offset at which the stretch of each unit starts; as long as `text`. */
  starts: readonly number[]
  /** Original offset at which the stretch of each unit ends. */
  ends: readonly number[]
}

/** The text itself, as it is spoken before any rule. `offset` is its place in a longer original. */
export function asWritten(text: string, offset = 0): SpokenText {
  const starts = Array.from({ length: text.length }, (_, index) => offset + index)
  return { text, starts, ends: starts.map((start) => start + 1) }
}

/**
 * Finds the original stretch that a stretch of the spoken text came from, such as that of a word when it is heard. Each
 * word of `12 dollars and 50 cents` maps to the whole `$12.50`.
 *
 * @example
 * originalRange(toSpokenText('Pay $5.', { language: 'en-US' }), { start: 6, end: 13 }) // { start: 4, end: 6 }
 */
export function originalRange(
  spoken: SpokenText,
  range: { start: number; end: number },
): { start: number; end: number } {
  const start = spoken.starts[range.start] ?? spoken.ends.at(-1) ?? 0
  return { start, end: Math.max(start, spoken.ends[range.end - 1] ?? start) }
}

/** A stretch of a text and its replacement. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** Replaces stretches, in order and without overlaps. */
export function applyEdits(spoken: SpokenText, edits: readonly Edit[]): SpokenText {
  if (edits.length === 0) return spoken
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  let copied = 0
  const copyUntil = (until: number) => {
    text += spoken.text.slice(copied, until)
    for (; copied < until; copied++) {
      starts.push(spoken.starts[copied] ?? 0)
      ends.push(spoken.ends[copied] ?? 0)
    }
  }
  for (const edit of edits) {
    copyUntil(edit.start)
    const original = originalRange(spoken, edit)
    text += edit.text
    for (let unit = 0; unit < edit.text.length; unit++) {
      starts.push(original.start)
      ends.push(original.end)
    }
    copied = edit.end
  }
  copyUntil(spoken.text.length)
  return { text, starts, ends }
}

/**
 * Replaces what a global pattern matches; without a pattern, as in languages that lack a rule, the text stays. `replace` returns
 * undefined to leave a match as it is.
 */
export function replaceMatches(
  spoken: SpokenText,
  pattern: RegExp | undefined,
  replace: (match: RegExpExecArray) => string | undefined,
): SpokenText {
  // Most rules find nothing in a sentence, and `matchAll` makes a copy of the pattern before it looks.
  if (pattern === undefined || spoken.text.search(pattern) === -1) return spoken
  const edits: Edit[] = []
  for (const match of spoken.text.matchAll(pattern)) {
    const text = replace(match)
    if (text !== undefined && text !== match[0])
      edits.push({ start: match.index, end: match.index + match[0].length, text })
  }
  return applyEdits(spoken, edits)
}

export function joinSpoken(parts: readonly SpokenText[]): SpokenText {
  return {
    text: parts.map(({ text }) => text).join(''),
    starts: parts.flatMap(({ starts }) => starts),
    ends: parts.flatMap(({ ends }) => ends),
  }
}
