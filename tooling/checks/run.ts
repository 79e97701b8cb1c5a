/** `pnpm check`: every check that needs no running service, one line each. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { text } from 'node:stream/consumers'

/** Command of each step; pnpm puts node_modules/.bin on the PATH. */
const steps: Readonly<Record<string, string>> = {
  format: 'oxfmt --check',
  types: 'turbo run types --continue --output-logs=errors-only',
  'dependency direction': 'node tooling/checks/dependency-direction.ts',
  'package metadata': 'node tooling/checks/metadata/run.ts',
  'README examples': 'node --conditions=source tooling/checks/readmes/run.ts',
  'OpenAPI document': 'pnpm --filter @vaani/contracts lint:openapi',
  'breaking changes': 'node tooling/checks/contract/run.ts',
  'generated files': 'node --conditions=source tooling/generator/run.ts --check',
  // One after another, because each needs the build.
  'published packages': [
    'turbo run build --output-logs=errors-only',
    'node --conditions=source tooling/checks/contracts-package.ts',
    'node tooling/checks/api-reports.ts --check',
  ].join(' && '),
}

const environment = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  // turbo runs pnpm once per workspace; each would ask the registry whether it is the pinned version.
  pnpm_config_pm_on_fail: 'ignore',
}

const root = path.resolve(import.meta.dirname, '../..')
// First, because it follows imports into the dist folders, which the package check rewrites.
const linted = await runStep('lint', 'oxlint --quiet')
const results = await Promise.all(Object.entries(steps).map(([name, command]) => runStep(name, command)))
process.exitCode = linted && results.every(Boolean) ? 0 : 1

/** @returns whether it passed */
async function runStep(name: string, command: string): Promise<boolean> {
  const startedAtMs = performance.now()
  const child = spawn(`${command} 2>&1`, {
    cwd: root,
    env: environment,
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [output, code] = await Promise.all([text(child.stdout), ended])
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  console.log(
    `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)${code === 0 ? '' : `\n${output.trim()}`}`,
  )
  return code === 0
}
