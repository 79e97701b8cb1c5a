/** A block of a README that its reader pastes into a terminal. */
export interface Block {
  readonly text: string
  /** Text that it eventually prints, from a comment after it: `<!-- prints: completed -->`. */
  readonly prints: string | undefined
  /** Why no check pastes it, from a comment after it: `<!-- not pasted: needs a cluster -->`. */
  readonly notPasted: string | undefined
}

const BLOCK = /^( *)```sh\r?\n([\s\S]*?)^\1```[ \t]*$(?:\s*<!-- (?:prints: (.*?)|not pasted: (.*?)) -->)?/gm

/** Reads the fences of shell commands, in order. Those in a list are indented. */
export const readBlocks = (readme: string): Block[] =>
  Array.from(readme.matchAll(BLOCK), ([, indent = '', text = '', prints, notPasted]) => ({
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    prints,
    notPasted,
  }))
