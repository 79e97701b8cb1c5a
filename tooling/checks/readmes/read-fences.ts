/** A fenced block of a Markdown file. */
export interface Fence {
  /** The text after the backticks: `ts example`. */
  readonly opening: string
  readonly text: string
  /** Text that it prints, from a comment after it: `<!-- prints: completed -->`. */
  readonly prints: string | undefined
  /** Line of its opening, from 1. */
  readonly line: number
}

/** Reads all fences of a file, in order. */
export const readFences = (markdown: string): Fence[] =>
  Array.from(
    markdown.matchAll(/^```([^`\n]*)\n([^]*?)^```[ \t]*$(?:\s*<!-- prints: (.*?) -->)?/gm),
    ({ index, 1: opening = '', 2: text = '', 3: prints }) => ({
      opening: opening.trim(),
      text,
      prints,
      line: markdown.slice(0, index).split('\n').length,
    }),
  )
