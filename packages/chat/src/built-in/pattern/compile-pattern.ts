import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { SchemaRefusal } from '../schema-refusal.ts'
import type { Work } from '../work.ts'

/** Instructions of a pattern, its counted repetitions written out. */
const MAX_INSTRUCTIONS = 20_000
/** What the engine takes to build a class such as `\p{L}`. */
export const STEPS_PER_CLASS = 500

/** Where a pattern may go from a place in a text. `next` and `to` are indices of instructions. */
export type Instruction =
  | { readonly type: 'character'; readonly accepts: (character: string) => boolean; readonly next: number }
  | { readonly type: 'fork'; readonly to: number[] }
  | { readonly type: 'edge'; readonly edge: 'start' | 'end' | 'word' | 'no_word'; readonly next: number }
  | { readonly type: 'look'; readonly look: Look; readonly next: number }
  | { readonly type: 'end' }

/** A part that has to match, or must not, at a place and before or behind it. */
export interface Look {
  readonly start: number
  readonly direction: Direction
  readonly isNegated: boolean
}

export type Direction = 1 | -1

export interface CompiledPattern {
  readonly pattern: AST.Pattern
  readonly instructions: readonly Instruction[]
  readonly start: number
  /** Whether characters are code points, as with the flag `u`, or UTF-16 units. */
  readonly isUnicode: boolean
}

/** A pattern as the flag `u` reads it, or else as it is read without. */
export function parsePattern(source: string): { pattern: AST.Pattern; isUnicode: boolean } {
  for (const isUnicode of [true, false])
    try {
      const options = { unicode: isUnicode }
      return { pattern: new RegExpParser().parsePattern(source, 0, source.length, options), isUnicode }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  throw new SchemaRefusal('has a pattern that is no regular expression')
}

/**
 * Compiles a regular expression of ECMA-262 to the automaton of Thompson's construction, which a text passes once.
 *
 * @throws SchemaRefusal if it is none, has a back reference, or is too long
 */
export function compilePattern(source: string, work: Work): CompiledPattern {
  work.spend(source.length)
  const { pattern, isUnicode } = parsePattern(source)
  const compiler = new PatternCompiler(isUnicode, work)
  const start = compiler.alternatives(pattern, compiler.emit({ type: 'end' }), 1)
  return { pattern, instructions: compiler.instructions, start, isUnicode }
}

/** Emits instructions from the end of a pattern to its start, because each has to know its next. */
class PatternCompiler {
  readonly instructions: Instruction[] = []
  readonly #classes = new Map<string, RegExp>()
  readonly #isUnicode: boolean
  readonly #work: Work

  constructor(isUnicode: boolean, work: Work) {
    this.#isUnicode = isUnicode
    this.#work = work
  }

  emit(instruction: Instruction): number {
    this.#work.spend()
    if (this.instructions.length >= MAX_INSTRUCTIONS)
      throw new SchemaRefusal('has a pattern that is too long once its repetitions are written out')
    return this.instructions.push(instruction) - 1
  }

  alternatives(
    { alternatives }: { alternatives: readonly AST.Alternative[] },
    next: number,
    direction: Direction,
  ) {
    const to = alternatives.map(({ elements }) =>
      (direction === 1 ? elements.toReversed() : elements).reduce(
        (after, element) => this.#element(element, after, direction),
        next,
      ),
    )
    const [only] = to
    return to.length === 1 && only !== undefined ? only : this.emit({ type: 'fork', to })
  }

  #element(element: AST.Element, next: number, direction: Direction): number {
    switch (element.type) {
      case 'Assertion':
        return this.#assertion(element, next)
      case 'Group':
        if (element.modifiers) throw new SchemaRefusal('has a pattern with modifiers, which are not followed')
        return this.alternatives(element, next, direction)
      case 'CapturingGroup':
        return this.alternatives(element, next, direction)
      case 'Quantifier':
        return this.#quantifier(element, next, direction)
      case 'Backreference':
        throw new SchemaRefusal('has a pattern with a back reference, which is not followed')
      case 'Character': {
        const expected = String.fromCodePoint(element.value)
        return this.emit({ type: 'character', accepts: (character) => character === expected, next })
      }
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass': {
        const accepted = this.#classOf(element.raw)
        return this.emit({ type: 'character', accepts: (character) => accepted.test(character), next })
      }
    }
  }

  /** Returns an expression for one character, which can't be matched in two ways. */
  #classOf(source: string): RegExp {
    let accepted = this.#classes.get(source)
    if (accepted === undefined) {
      this.#work.spend(STEPS_PER_CLASS)
      accepted = new RegExp(`^${source}$`, this.#isUnicode ? 'u' : '')
      this.#classes.set(source, accepted)
    }
    return accepted
  }

  #assertion(element: AST.Assertion, next: number): number {
    switch (element.kind) {
      case 'start':
      case 'end':
        return this.emit({ type: 'edge', edge: element.kind, next })
      case 'word':
        return this.emit({ type: 'edge', edge: element.negate ? 'no_word' : 'word', next })
      case 'lookahead':
      case 'lookbehind': {
        const direction = element.kind === 'lookahead' ? 1 : -1
        const start = this.alternatives(element, this.emit({ type: 'end' }), direction)
        return this.emit({ type: 'look', look: { start, direction, isNegated: element.negate }, next })
      }
    }
  }

  #quantifier({ min, max, element }: AST.Quantifier, next: number, direction: Direction): number {
    let after = next
    if (max === Infinity) {
      const fork: Instruction & { type: 'fork' } = { type: 'fork', to: [next] }
      after = this.emit(fork)
      fork.to.push(this.#element(element, after, direction))
    } else
      for (let more = min; more < max; more++)
        after = this.emit({ type: 'fork', to: [this.#element(element, after, direction), next] })
    for (let count = 0; count < min; count++) after = this.#element(element, after, direction)
    return after
  }
}
