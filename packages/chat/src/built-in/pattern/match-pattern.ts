import type { Work } from '../work.ts'
import type { CompiledPattern, Direction, Instruction } from './compile-pattern.ts'

/**
 * Whether a pattern matches a part of a text. All ways through the pattern are followed at once, character by character, so
 * none is taken back: the steps are at most those of the pattern times those of the text, and as often again for each level of
 * look-around.
 */
export function matchesPattern(pattern: CompiledPattern, text: string, work: Work): boolean {
  work.spend(text.length / 16)
  const characters = pattern.isUnicode ? [...text] : text.split('')
  return new Match(pattern, characters, work).run({
    start: pattern.start,
    from: 0,
    direction: 1,
    isAnchored: false,
  })
}

class Match {
  readonly #instructions: readonly Instruction[]
  readonly #characters: readonly string[]
  readonly #work: Work
  /** For each instruction, the last walk that came by. Those of look-around are apart from the others, so one array serves all. */
  readonly #walks: Uint32Array
  #walk = 0

  constructor({ instructions }: CompiledPattern, characters: readonly string[], work: Work) {
    this.#instructions = instructions
    this.#walks = new Uint32Array(instructions.length)
    this.#characters = characters
    this.#work = work
  }

  run(way: { start: number; from: number; direction: Direction; isAnchored: boolean }): boolean {
    const { start, from, direction, isAnchored } = way
    let entered = [start]
    for (let at = from; ; at += direction) {
      const reached = this.#follow(entered, at)
      if (reached === 'end') return true
      const character = this.#characters[direction === 1 ? at : at - 1]
      if (character === undefined) return false
      entered = []
      for (const { accepts, next } of reached) if (accepts(character)) entered.push(next)
      if (!isAnchored) entered.push(start)
      else if (entered.length === 0) return false
    }
  }

  /** Returns the instructions that wait for a character, or `end` if a way has ended. Takes `entered` apart. */
  #follow(entered: number[], at: number): (Instruction & { type: 'character' })[] | 'end' {
    const waiting: (Instruction & { type: 'character' })[] = []
    const walk = ++this.#walk
    for (let index = entered.pop(); index !== undefined; index = entered.pop()) {
      this.#work.spend()
      if (this.#walks[index] === walk) continue
      this.#walks[index] = walk
      const instruction = this.#instructions[index]
      switch (instruction?.type) {
        case 'end':
          return 'end'
        case 'character':
          waiting.push(instruction)
          break
        case 'fork':
          entered.push(...instruction.to)
          break
        case 'edge':
          if (this.#isAt(instruction.edge, at)) entered.push(instruction.next)
          break
        case 'look': {
          const { isNegated, ...look } = instruction.look
          if (this.run({ ...look, from: at, isAnchored: true }) !== isNegated) entered.push(instruction.next)
        }
      }
    }
    return waiting
  }

  #isAt(edge: 'start' | 'end' | 'word' | 'no_word', at: number): boolean {
    switch (edge) {
      case 'start':
        return at === 0
      case 'end':
        return at === this.#characters.length
      case 'word':
        return this.#isWord(at - 1) !== this.#isWord(at)
      case 'no_word':
        return this.#isWord(at - 1) === this.#isWord(at)
    }
  }

  #isWord(at: number): boolean {
    return /^\w$/.test(this.#characters[at] ?? '')
  }
}
