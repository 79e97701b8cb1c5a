import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { capitalized, type GroupNames, spell } from './group-names.ts'
import { addImport, insertBefore } from './insert.ts'
import { insertionsOf } from './insertions.ts'

/** A folder of files as the group `spare-parts` would have them, which is compiled only under the name of a real group. */
const TEMPLATE = path.join(import.meta.dirname, 'template')
const SUFFIX = '.txt'

/** Writes the files of a group, and its lines in the lists that name every group. @returns the files, relative to the root */
export function addGroup(root: string, names: GroupNames): string[] {
  const rename = renamer(names, nextMigration(root))
  const created = globSync(`**/*${SUFFIX}`, { cwd: TEMPLATE }).map((file) => {
    const name = rename(file.slice(0, -SUFFIX.length))
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(root, name), rename(readFileSync(path.join(TEMPLATE, file), 'utf8')))
    return name
  })
  const changed = insertionsOf(names).map(({ file, import: line, lines }) => {
    const place = path.join(root, file)
    const start = readFileSync(place, 'utf8')
    const text = line === undefined ? start : addImport(start, line)
    writeFileSync(place, lines.reduce(insertBefore, text))
    return file
  })
  return [...created, ...changed]
}

const TEMPLATE_NAMES: GroupNames = { plural: 'spare-parts', singular: 'spare-part' }
const SPELLINGS = ['kebab', 'snake', 'camel', 'pascal', 'prose'] as const

function renamer(names: GroupNames, migration: string): (text: string) => string {
  const { prose } = spell(names.singular)
  const article = /^[aeiou]/.test(prose) ? 'an' : 'a'
  // The plural first, because it begins with the singular.
  const renames = (['plural', 'singular'] as const).flatMap((number) =>
    SPELLINGS.map((how) => [spell(TEMPLATE_NAMES[number])[how], spell(names[number])[how]] as const),
  )
  return (text) =>
    [
      ['a spare part ', `${article} ${prose} `] as const,
      ['Spare parts', capitalized(spell(names.plural).prose)] as const,
      ...renames,
      ['0000', migration] as const,
    ].reduce((renamed, [from, to]) => renamed.replaceAll(from, to), text)
}

function nextMigration(root: string): string {
  const files = globSync('apps/server/src/**/migrations/[0-9]*.ts', { cwd: root })
  const latest = Math.max(...files.map((file) => Number.parseInt(path.basename(file), 10)))
  return String(latest + 1).padStart(4, '0')
}
