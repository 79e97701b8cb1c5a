/** A stretch of a text, end exclusive. */
export interface Stretch {
  start: number
  end: number
}

const LETTER = /[A-Za-z0-9]/
const SPACE_OR_EDGE = /^\s?$/
const PUNCTUATION = /[\p{P}\p{S}]/u

/** Whether a run of signs can begin and end emphasis, by what stands beside it (CommonMark 0.31, 6.2, which is stricter). */
function sidesOf(text: string, { start, end }: Stretch): { opens: boolean; closes: boolean } {
  const sign = text.charAt(start)
  const before = /.$/su.exec(text.slice(Math.max(0, start - 2), start))?.[0] ?? ''
  const after = String.fromCodePoint(text.codePointAt(end) ?? 0x20)
  const isDoubled = end - start > 1
  // Powers, products and names of variables: `x**2`, `2*3`, `snake_case`.
  if (LETTER.test(before) && LETTER.test(after)) return { opens: false, closes: false }
  const spaced = { before: SPACE_OR_EDGE.test(before), after: SPACE_OR_EDGE.test(after) }
  // In scripts without spaces, strong text begins and ends beside anything: `**「はい」**です`.
  if (isDoubled && sign !== '_') return { opens: !spaced.after, closes: !spaced.before }
  const signs = { before: PUNCTUATION.test(before), after: PUNCTUATION.test(after) }
  const left = !spaced.after && (!signs.after || spaced.before || signs.before)
  const right = !spaced.before && (!signs.before || spaced.after || signs.after)
  if (sign !== '_') return { opens: left, closes: right }
  return { opens: left && (!right || signs.before), closes: right && (!left || signs.after) }
}

/** Nobody means more emphasis within emphasis. It bounds the work on signs that begin nothing. */
const MAX_DEPTH = 8

/** Runs of signs, and what they have no meaning in: code, escapes and targets of links, which may not have ended yet. */
const RUNS = /\\[\s\S]|(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|`+|\]\([^\s()]*(?:\)|$)|\*+|_+|~+/g

/**
 * Finds the signs of the emphasis that begins with the run at `start`, and of all within it with the same sign.
 *
 * @param end where the paragraph ends, or what is known of it
 * @param isComplete whether it ends there
 * @returns the stretches that are not spoken; none if it begins no emphasis; undefined if that depends on what follows
 */
export function emphasisAt(
  text: string,
  { start, end }: Stretch,
  isComplete: boolean,
): Stretch[] | undefined {
  const sign = text.charAt(start)
  const open: Stretch[] = []
  const found: Stretch[] = []
  const known = text.slice(0, end)
  RUNS.lastIndex = start
  for (let run = RUNS.exec(known); run !== null; run = RUNS.exec(known)) {
    const stretch = { start: run.index, end: run.index + run[0].length }
    if (!isComplete && (stretch.end === end || /^`+$/.test(run[0]))) return undefined
    if (run[0].charAt(0) !== sign) continue
    const { opens, closes } = sidesOf(text, stretch)
    let rest = stretch
    if (closes) rest = close(rest, open, found)
    if (opens && rest.end > rest.start && (sign !== '~' || rest.end - rest.start === 2)) open.push(rest)
    if (open.length === 0) return found
    if (open.length > MAX_DEPTH) return []
  }
  return isComplete ? [] : undefined
}

/** Ends what is open with a run, and returns what is left of the run. */
function close(run: Stretch, open: Stretch[], found: Stretch[]): Stretch {
  let rest = run
  while (rest.end > rest.start && open.length > 0) {
    const length = rest.end - rest.start
    const same = open.findLastIndex(({ start, end }) => end - start === length)
    // What began within it and has no end is text.
    if (same !== -1) open.length = same + 1
    const top = open.pop()
    if (top === undefined) break
    const used = Math.min(length, top.end - top.start)
    found.push({ start: top.end - used, end: top.end }, { start: rest.start, end: rest.start + used })
    if (top.end - used > top.start) open.push({ start: top.start, end: top.end - used })
    rest = { start: rest.start + used, end: rest.end }
  }
  return rest
}
