/**
 * `pnpm new group NAME [SINGULAR]`: adds a group to the API that creates, reads and lists one kind of resource, with its contract, server
 * feature, table, client namespace, commands and end-to-end test.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { contract } from '@vaani/contracts'
import { addGroup } from './add-group.ts'
import { spell } from './group-names.ts'

const root = path.resolve(import.meta.dirname, '../..')
const USAGE =
  'pnpm new group NAME [SINGULAR]: NAME is a plural, such as `notes` or `spare-parts`; SINGULAR is NAME without its s'
/** Words of lower-case letters, joined by hyphens. */
const NAME = /^(?=.{2,20}$)[a-z]+(-[a-z]+)*$/

const [kind, plural = '', singular = plural.replace(/s$/, '')] = process.argv.slice(2)
const isName = NAME.test(plural) && NAME.test(singular) && singular !== plural
const problem =
  kind !== 'group' || !isName
    ? USAGE
    : spell(plural).camel in contract
      ? `There is a group ${plural} already.`
      : undefined
if (problem === undefined) {
  const files = addGroup(root, { plural, singular })
  execFileSync('oxfmt', files, { cwd: root, stdio: 'ignore' })
  // In a process of its own, because this one has loaded the contracts without the group.
  execFileSync(process.execPath, ['--conditions=vaani-source', 'tooling/generator/run.ts'], { cwd: root })
  console.log(`${files.join('\n')}

The group serves \`POST\` and \`GET /v1/${plural}\`. Now give it its own fields, and try it:
npm test -- --project e2e apps/server/test/${plural}.e2e.ts
CONTRIBUTING.md, "A group", says what else it needs.`)
} else {
  console.error(problem)
  process.exitCode = 2
}
