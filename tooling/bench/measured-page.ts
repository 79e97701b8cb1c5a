import { stripVTControlCharacters } from 'node:util'

/** The page of one run of a benchmark. */
export function measuredPage(options: {
  /** Of the benchmark: its first comment says what is measured. */
  source: string
  command: string
  /** The file that it is written to. */
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
    // One that prints tables of Markdown prints Markdown.
    /^\|.*\|$/m.test(text) ? text : toMarkdown(text),
  ]
    .join('\n\n')
    .concat('\n')
}

/** The first comment, without the command that the title has. */
function purposeOf(source: string): string {
  const [, comment = ''] = /^\/\*\*([^]*?)\*\//.exec(source) ?? []
  const text = comment.replaceAll(/^[ \t]*\* ?/gm, '').trim()
  const purpose = text.replace(/^`pnpm bench [^`]*`:\s*/, '')
  return purpose.charAt(0).toUpperCase() + purpose.slice(1)
}

/** Tables of `console.table` become tables, and other lines stay as they are. */
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
  // Without the numbers of the rows.
  const isNumbered = rows.slice(1).every(([first], index) => first === String(index))
  const [head = [], ...others] = isNumbered ? rows.map(([, ...cells]) => cells) : rows
  return [head.map((name) => (name === '(index)' ? '' : name)), head.map(() => '-'), ...others]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** Of a string, without its quotes. */
const cellText = (cell: string): string => cell.trim().replace(/^'(.*)'$/, '$1')
