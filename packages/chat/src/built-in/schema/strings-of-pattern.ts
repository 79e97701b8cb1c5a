import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** Longest text that is made of a pattern, in UTF-16 units. */
const MAX_UNITS = 20_000
/** Repetitions beyond the fewest that a pattern allows. */
const MORE = [0, 1, 2, 5, 10, 30, 100, 300, 1000]
/** Choices of characters: of one kind, and mixed. */
const VARIANTS = 12
const PLAIN_VARIANTS = 2
const LAST_CODE_POINT = 0x10_ff_ff
/** What people would write first: letters, digits, a space and signs. */
const LIKELY = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;/@+#']

interface Choice {
  readonly more: number
  readonly variant: number
}

/**
 * Yields texts that a regular expression probably matches: what it says of the text around a place, as in a look-ahead, is
 * ignored, so the caller has to check them. Nothing if it is none.
 */
export function* stringsOfPattern(source: string): Generator<string> {
  let pattern: AST.Pattern
  try {
    pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true })
  } catch (error) {
    if (error instanceof SyntaxError) return
    throw error
  }
  const write = createWriter()
  for (const more of MORE)
    for (let variant = 0; variant < VARIANTS; variant++) {
      const text = write(pattern, { more, variant })
      if (text !== undefined) yield text
    }
}

function createWriter() {
  const groups = new Map<AST.CapturingGroup, string>()
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
    switch (element.type) {
      case 'Assertion':
        return ''
      case 'Group':
        return write(element, choice)
      case 'CapturingGroup': {
        const text = write(element, choice)
        groups.set(element, text ?? '')
        return text
      }
      case 'Quantifier': {
        const count = Math.min(element.max, element.min + choice.more, MAX_UNITS + 1)
        return writeAll(
          Array.from({ length: count }, () => element.element),
          choice,
        )
      }
      case 'Backreference':
        return [element.resolved].flat().reduce((text, group) => text + (groups.get(group) ?? ''), '')
      case 'Character':
        return String.fromCodePoint(element.value)
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        return characterOf(element.raw, (count) => pick(choice, count))
    }
  }
  return write
}

/** Returns a character of a class, such as `[a-z]` or `\p{L}`. */
function characterOf(source: string, pick: (count: number) => number): string | undefined {
  const allowed = new RegExp(`^${source}$`, 'u')
  const likely = LIKELY.filter((character) => allowed.test(character))
  if (likely.length > 0) return likely[pick(likely.length)]
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint++) {
    const character = String.fromCodePoint(codePoint)
    if (character.isWellFormed() && allowed.test(character)) return character
  }
  return undefined
}
