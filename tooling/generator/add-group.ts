import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { GroupNames } from './group-names.ts'
import { addImport, insertBefore } from './insert.ts'
import { insertionsOf } from './insertions.ts'

/** A folder of files as the group `widgets` would have them, which is compiled only under the name of a real group. */
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

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const renamer =
  ({ plural, singular }: GroupNames, migration: string) =>
  (text: string): string =>
    text
      .replaceAll('a widget ', `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular} `)
      .replaceAll('widgets', plural)
      .replaceAll('Widgets', capitalized(plural))
      .replaceAll('widget', singular)
      .replaceAll('Widget', capitalized(singular))
      .replaceAll('0000', migration)

function nextMigration(root: string): string {
  const files = globSync('apps/server/src/**/migrations/[0-9]*.ts', { cwd: root })
  const latest = Math.max(...files.map((file) => Number.parseInt(path.basename(file), 10)))
  return String(latest + 1).padStart(4, '0')
}
