/** A fenced block of a Markdown file. */
export interface Fence {
  /** The text after the backticks: `ts example`. */
  readonly opening: string
  readonly text: string
  /** Declarations that the fragment needs, from a comment before it: `<!-- given: declare const app: App -->`. */
  readonly given: string
  /** Line of its opening, from 1. */
  readonly line: number
}

/** Reads all fences of a file, in order. */
export const readFences = (markdown: string): Fence[] =>
  Array.from(
    markdown.matchAll(/(?:^<!-- given:([^]*?)-->\s*)?^```([^`\n]*)\n([^]*?)^```[ \t]*$/gm),
    ({ index, 0: all, 1: given = '', 2: opening = '', 3: text = '' }) => ({
      opening: opening.trim(),
      text,
      given: given.trim(),
      line: markdown.slice(0, index + all.indexOf('```')).split('\n').length,
    }),
  )
