import type { AST } from '@eslint-community/regexpp'
import { compilePattern, STEPS_PER_CLASS } from '../pattern/compile-pattern.ts'
import type { Work } from '../work.ts'

/** Longest text that is made of a pattern, in UTF-16 units. */
const MAX_UNITS = 200_000
/** Repetitions beyond the fewest that a pattern allows. */
const MORE = [0, 1, 2, 5, 10, 30, 100, 300, 1000]
/** Choices of characters: of one kind, and mixed. */
const VARIANTS = 12
const PLAIN_VARIANTS = 2
/** Parts of a pattern that may share the repetitions for a length. */
const MAX_REPEATED = 3
/** Characters from which on it costs too much to try many texts that may be shorter. */
const LONG = 300
const LAST_CODE_POINT = 0x10_ff_ff
/** What people would write first: letters, digits, a space and signs. */
const LIKELY = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;/@+#']

interface Choice {
  readonly more: number
  readonly variant: number
}

/**
 * Yields texts that a regular expression probably matches: what it says of the text around a place, as in a look-ahead, is
 * ignored, so the caller has to check them.
 *
 * @param fewest characters that are wanted
 * @throws SchemaRefusal if it is none, or can't be followed
 */
export function* stringsOfPattern(source: string, work: Work, fewest = 0): Generator<string> {
  // Do not write what can't be checked.
  const { pattern, isUnicode } = compilePattern(source, work)
  const write = createWriter(isUnicode, work)
  if (fewest > LONG) yield* stringsOfLength(write, pattern, fewest)
  for (const more of MORE)
    for (let variant = 0; variant < VARIANTS; variant++) {
      const text = write(pattern, { more, variant })
      if (text !== undefined) yield text
    }
  if (fewest <= LONG) yield* stringsOfLength(write, pattern, fewest)
}

/** Yields texts whose repetitions, or some of them, make up for what they lack in length. */
function* stringsOfLength(write: Writer, pattern: AST.Pattern, fewest: number): Generator<string> {
  for (let variant = 0; variant < PLAIN_VARIANTS; variant++) {
    const missing = fewest - (write(pattern, { more: 0, variant })?.length ?? fewest)
    if (missing <= 0) continue
    for (let repeated = 1; repeated <= MAX_REPEATED; repeated++) {
      const text = write(pattern, { more: Math.ceil(missing / repeated), variant })
      if (text !== undefined) yield text
    }
  }
}

type Writer = ReturnType<typeof createWriter>

function createWriter(isUnicode: boolean, work: Work) {
  const accepted = new Map<string, readonly string[]>()
  let written = 0

  /** The place of a choice among some: the same one everywhere, or a different one for each character. */
  const pick = ({ variant }: Choice, count: number): number =>
    (variant < PLAIN_VARIANTS ? variant : variant + 11 * written++) % count

  function writeAll(elements: readonly AST.Element[], choice: Choice): string | undefined {
    let text = ''
    for (const element of elements) {
      const part = writeElement(element, choice)
      if (part === undefined || text.length + part.length > MAX_UNITS) return undefined
      text += part
    }
    return text
  }

  function write({ alternatives }: { alternatives: readonly AST.Alternative[] }, choice: Choice) {
    const chosen = alternatives[pick(choice, alternatives.length)]
    return writeAll(chosen?.elements ?? [], choice)
  }

  /** @returns undefined if it would be too long, or nothing fits */
  function writeElement(element: AST.Element, choice: Choice): string | undefined {
    work.spend()
    switch (element.type) {
      case 'Assertion':
      case 'Backreference':
        return ''
      case 'Group':
      case 'CapturingGroup':
        return write(element, choice)
      case 'Quantifier': {
        const count = Math.min(element.max, element.min + choice.more, MAX_UNITS + 1)
        return writeAll(
          Array.from({ length: count }, () => element.element),
          choice,
        )
      }
      case 'Character':
        return String.fromCodePoint(element.value)
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        return characterOf(element.raw, choice)
    }
  }

  /** Returns a character of a class, such as `[a-z]` or `\p{L}`. */
  function characterOf(source: string, choice: Choice): string | undefined {
    let characters = accepted.get(source)
    if (characters === undefined) {
      work.spend(STEPS_PER_CLASS)
      characters = charactersOf(new RegExp(`^${source}$`, isUnicode ? 'u' : ''), work)
      accepted.set(source, characters)
    }
    return characters[pick(choice, characters.length)]
  }
  return write
}

/** Returns the likely characters that a class has, or else its first one. */
function charactersOf(accepted: RegExp, work: Work): readonly string[] {
  const likely = LIKELY.filter((character) => accepted.test(character))
  if (likely.length > 0) return likely
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint++) {
    work.spend(1 / 8)
    const character = String.fromCodePoint(codePoint)
    if (character.isWellFormed() && accepted.test(character)) return [character]
  }
  return []
}
