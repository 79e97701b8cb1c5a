/**
 * `pnpm check`: every check that needs no running service, one line each. Except in CI, a check that passed before on the same
 * files is not run again; `pnpm check --all` runs all.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import { type Inputs, openPassedBefore } from './passed-before.ts'

interface Step {
  /** Its commands, one after another; pnpm puts node_modules/.bin on the PATH. */
  readonly commands: readonly string[]
  /** The command that mends what it finds; undefined if a person must. */
  readonly mend?: string
  /** What its result depends on; undefined if it keeps results itself, or is quicker than looking. */
  readonly inputs?: Inputs
}

const contracts = /^packages\/contracts\//
const sources = /^(?:packages|apps|tooling)\/.*\.(?:ts|mts|tsx|json)$/

const steps: Readonly<Record<string, Step>> = {
  format: { commands: ['oxfmt --check'], mend: 'pnpm format' },
  types: { commands: ['turbo run types --continue --output-logs=errors-only'] },
  'dependency direction': {
    commands: ['node tooling/checks/dependency-direction.ts'],
    inputs: { files: sources, withDevelopment: true },
  },
  prose: { commands: ['node tooling/checks/prose.ts'] },
  'package metadata': { commands: ['node tooling/checks/metadata/run.ts'], mend: 'pnpm metadata' },
  'README examples': {
    commands: ['node --conditions=vaani-source tooling/checks/readmes/run.ts'],
    inputs: { files: /^(?:packages|apps|interop)\// },
  },
  'OpenAPI document': {
    commands: ['pnpm --filter @vaani/contracts lint:openapi'],
    inputs: { files: contracts },
  },
  'breaking changes': { commands: ['node tooling/checks/contract/run.ts'], inputs: { files: contracts } },
  'generated files': {
    commands: ['node --conditions=vaani-source tooling/generator/run.ts --check'],
    mend: 'pnpm generate',
    inputs: { files: /^(?:packages|apps|tooling)\/.*\.(?:ts|mts|tsx|json)$|^docs\/architecture\.md$/ },
  },
  'published packages': {
    commands: [
      'turbo run build --output-logs=errors-only',
      'node --conditions=vaani-source tooling/checks/contracts-package.ts',
      'node tooling/checks/api-reports.ts --check',
    ],
    mend: 'pnpm generate',
    inputs: { files: /^(?:packages|apps)\// },
  },
}

const SHOWN_LINES = 25

const environment = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  // turbo runs pnpm once per workspace; each would ask the registry whether it is the pinned version.
  pnpm_config_pm_on_fail: 'ignore',
}

const root = path.resolve(import.meta.dirname, '../..')
const logs = path.join(root, 'node_modules/.cache/checks')
mkdirSync(logs, { recursive: true })
const mayKeep = process.env['CI'] === undefined && !process.argv.includes('--all')
const passedBefore = mayKeep ? openPassedBefore(root) : undefined
// First, because it follows imports into the dist folders, which the package check rewrites.
const linted = await runStep('lint', { commands: ['oxlint --quiet'], mend: 'pnpm lint --fix' })
const results = await Promise.all(Object.entries(steps).map(([name, step]) => runStep(name, step)))
process.exitCode = linted && results.every(Boolean) ? 0 : 1

/** @returns whether it passed */
async function runStep(name: string, step: Step): Promise<boolean> {
  const { commands, mend, inputs } = step
  if (inputs && passedBefore?.has(name, inputs)) {
    console.log(`ok     ${name} (before)`)
    return true
  }
  const startedAtMs = performance.now()
  const child = spawn(`{ ${commands.join(' && ')}; } 2>&1`, {
    cwd: root,
    env: environment,
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [output, code] = await Promise.all([text(child.stdout), ended])
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (code !== 0) explain(name, output.trim(), mend)
  else if (inputs) passedBefore?.add(name, inputs)
  return code === 0
}

/** Prints the beginning of what a check found, and how to mend it. */
function explain(name: string, output: string, mend: string | undefined): void {
  const lines = output.split('\n')
  console.log(lines.slice(0, SHOWN_LINES).join('\n'))
  if (lines.length > SHOWN_LINES) {
    const log = path.join(logs, `${name.replaceAll(' ', '-')}.log`)
    writeFileSync(log, output)
    console.log(`… ${lines.length - SHOWN_LINES} more lines in ${path.relative(root, log)}`)
  }
  if (mend !== undefined) console.log(`To mend it: ${mend}`)
}
