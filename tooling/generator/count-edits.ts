/** Prints what a new group changes in lists that name every group, for `pnpm house`. `pnpm new group` makes these changes. */
import { insertionsOf } from './insertions.ts'

const edited = insertionsOf({ plural: 'widgets', singular: 'widget' })
const places = edited.map(({ import: line, lines }) => lines.length + (line === undefined ? 0 : 1))
console.log(
  `a new group: lines at ${places.reduce((sum, count) => sum + count, 0)} places in ${edited.length} files`,
)
