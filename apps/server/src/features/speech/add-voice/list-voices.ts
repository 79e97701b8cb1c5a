import { ownEnginesFile } from '../engines-file.ts'
import { readContent } from './engines-content.ts'
import { KNOWN_VOICES } from './known-voices.ts'

/**
 * Returns a table of the voices that can be added by their names, and the other neural engines of the file.
 *
 * @throws ConfigError if the engines' file is invalid
 */
export async function listVoices(settings: {
  dataDirectory: string
  speechEnginesFile: string | undefined
}): Promise<string> {
  const { engines } = await readContent(settings.speechEnginesFile ?? ownEnginesFile(settings.dataDirectory))
  const known = Object.entries(KNOWN_VOICES).map(([name, { languages, megabytes, licence }]) => [
    name,
    languages.map((row) => (typeof row === 'string' ? row : row.tag)).join(' '),
    `${megabytes} MB`,
    Object.hasOwn(engines, name) ? 'added' : '',
    licence,
  ])
  const rows = [['name', 'languages', 'download', '', 'licence'], ...known]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const others = Object.entries(engines)
    .filter(([name, { type }]) => type === 'sherpa' && !Object.hasOwn(KNOWN_VOICES, name))
    .map(([name]) => name)
  return `${[...table, ...(others.length > 0 ? ['', `Your own: ${others.join(', ')}`] : [])].join('\n')}\n`
}
