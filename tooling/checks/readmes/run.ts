/**
 * Checks every block of every package's README, so that readers can copy them: runs the examples as printed, compiles the fragments,
 * parses JSON, and compares `vaani` commands with the command line's help. `pnpm check:paste` pastes the shell blocks, and
 * `pnpm release:check` follows the ts-rest steps.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readWorkspaces } from '../workspaces.ts'
import { findCommandProblem, isVaaniCommand } from './command-problems.ts'
import { compileFences, type Place } from './compile-fences.ts'
import { findNotInstalled, isInstall } from './installs.ts'
import { PASTED } from './pasted.ts'
import { type Fence, readFences } from './read-fences.ts'
import { runExample } from './run-example.ts'

/** Packages that are started. */
const PROGRAMS: readonly string[] = ['apps/server', 'apps/kyc-shadow-worker']
const BY_OTHERS: readonly string[] = ['sh ts-rest', 'sh ts-rest packages']

const root = path.resolve(import.meta.dirname, '../../..')

const describe = ({ directory, fence }: Place, problem: string): string =>
  `${directory}/README.md:${fence.line}: ${problem}`

const workspaces = readWorkspaces(root).filter(({ directory }) => !directory.startsWith('tooling/'))
const readmes = workspaces
  .map((workspace) => ({ ...workspace, file: path.join(root, workspace.directory, 'README.md') }))
  .filter(({ file }) => existsSync(file))
  .map((workspace) => ({ ...workspace, text: readFileSync(workspace.file, 'utf8') }))
const places: Place[] = readmes.flatMap(({ directory, text }) =>
  readFences(text).map((fence) => ({ directory, fence })),
)
const problems = [
  ...workspaces
    .filter(({ directory }) => !existsSync(path.join(root, directory, 'README.md')))
    .map(({ directory }) => `${directory}: has no README.md`),
  ...workspaces
    .filter(({ directory, manifest }) => manifest.private !== true && !PROGRAMS.includes(directory))
    .filter(
      ({ directory }) =>
        !places.some((place) => place.directory === directory && place.fence.opening === 'ts example'),
    )
    .map(({ directory }) => `${directory}/README.md: has no fence opened as \`\`\`ts example`),
  ...readmes
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap(({ directory, text }) =>
      findNotInstalled(text).map((name) => `${directory}/README.md: no \`npm install\` names ${name}`),
    ),
]
const isCompiled = ({ opening }: Fence): boolean => opening.split(' ', 1)[0] === 'ts'
const compiled = places.filter(({ fence }) => isCompiled(fence))
problems.push(...(await compileFences(root, compiled)))
for (const place of places) {
  const problem = await findProblem(place)
  if (problem !== undefined) problems.push(describe(place, problem))
}
for (const problem of problems) console.error(problem)
console.log(`README examples: ${places.length} blocks, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

async function findProblem({ directory, fence }: Place): Promise<string | undefined> {
  const { opening, text } = fence
  if (opening === 'ts example') return await runExample(path.join(root, directory), fence)
  if (isCompiled(fence) || BY_OTHERS.includes(opening)) return undefined
  if (opening === 'json') return isJson(text) ? undefined : 'is not JSON'
  if (opening !== 'sh') return `no check knows a fence opened as \`\`\`${opening}`
  const lines = text.split('\n').filter((line) => line !== '')
  for (const line of lines.filter(isVaaniCommand)) {
    const problem = await findCommandProblem(line)
    if (problem !== undefined) return problem
  }
  if (lines.every(isInstall)) return undefined
  const isPasted = PASTED.includes(`${directory}/README.md`)
  return isPasted || lines.every(isVaaniCommand) ? undefined : 'nothing pastes it; see pasted.ts'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
