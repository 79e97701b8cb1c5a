import { stripVTControlCharacters } from 'node:util'

/** Returns the Markdown page of one run of a benchmark. */
export function measuredPage(options: {
  /** Source of the benchmark; its first comment describes what it measures. */
  source: string
  command: string
  /** The file that the page is written to. */
  page: string
  machine: string
  date: Date
  output: string
}): string {
  const { source, command, page, machine, date, output } = options
  const text = stripVTControlCharacters(output).trim()
  return [
    `# \`${command}\``,
    purposeOf(source),
    `Written by \`${command} --write ${page}\` on ${date.toISOString().slice(0, 10)}: ${machine}. Compare ratios, not absolute figures.`,
    // A benchmark that prints Markdown tables prints Markdown throughout.
    /^\|.*\|$/m.test(text) ? text : toMarkdown(text),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Returns the first comment without its command, which is in the title. */
function purposeOf(source: string): string {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(source) ?? []
  const text = comment.replaceAll(/^[ \t]*\* ?/gm, '').trim()
  const purpose = text.replace(/^`pnpm bench [^`]*`:\s*/, '')
  return purpose.charAt(0).toUpperCase() + purpose.slice(1)
}

/** Turns the tables of `console.table` into Markdown tables, and other lines into text blocks. */
const toMarkdown = (text: string): string =>
  text
    .split(/^(┌[^]*?^└.*$)/m)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => (piece.startsWith('┌') ? markdownTable(piece) : `\`\`\`text\n${piece}\n\`\`\``))
    .join('\n\n')

function markdownTable(table: string): string {
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('│'))
    .map((line) => line.split('│').slice(1, -1).map(cellText))
  // Omits the row numbers.
  const isNumbered = rows.slice(1).every(([first], index) => first === String(index))
  const [head = [], ...others] = isNumbered ? rows.map(([, ...cells]) => cells) : rows
  return [head.map((name) => (name === '(index)' ? '' : name)), head.map(() => '-'), ...others]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Removes the quotes of a string. */
const cellText = (cell: string): string => cell.trim().replace(/^'(.*)'$/, '$1')
