/**
 * `pnpm new group NAME [SINGULAR]`: adds a group to the API that creates, reads and lists one kind of resource, with its contract, server
 * feature, table, client namespace, commands and end-to-end test.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { contract } from '@vaani/contracts'
import { addGroup } from './add-group.ts'

const root = path.resolve(import.meta.dirname, '../..')
const USAGE =
  'pnpm new group NAME [SINGULAR]: NAME is a plural of lower-case letters, such as `notes`; SINGULAR is NAME without its s'

const [kind, plural = '', singular = plural.replace(/s$/, '')] = process.argv.slice(2)
const problem =
  kind !== 'group' || !/^[a-z]{3,20}$/.test(plural) || !/^[a-z]{2,20}$/.test(singular) || singular === plural
    ? USAGE
    : plural in contract
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
