/** A block of a README that its reader pastes into a terminal. */
export interface Block {
  readonly text: string
  /** Text that it eventually prints, from a comment after it: `<!-- prints: completed -->`. */
  readonly prints: string | undefined
}

/** Reads the fences of shell commands, in order. */
export const readBlocks = (readme: string): Block[] =>
  Array.from(
    readme.matchAll(/^```sh\r?\n([\s\S]*?)^```[ \t]*$(?:\s*<!-- prints: (.*?) -->)?/gm),
    ([, text = '', prints]) => ({ text, prints }),
  )
