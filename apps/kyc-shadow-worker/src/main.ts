#!/usr/bin/env node
import { createRequire } from 'node:module'
import { ConfigError, type Environment } from '@vaani/service-kit/settings/define-settings'
import { surviveLostOutput } from '@vaani/service-kit/telemetry/survive-lost-output'

/** Names of errors whose message is sufficient for an operator, so no stack is printed. Their classes would load a database. */
const EXPLAINED = new Set([
  'DatabaseAwayError',
  'EmbeddedPostgresError',
  'LaterSchemaError',
  'MigrationRightsError',
  'ServerMissingError',
])

/** Each loads only what it needs, because the gateway has no use for most of it. Returns whether it takes the arguments. */
type Command = (args: readonly string[], environment: Environment) => Promise<boolean>
const COMMANDS: Readonly<Record<string, Command>> = {
  async '--help'() {
    const page = readManifest().homepage.replace('#readme', '#settings')
    process.stdout.write(`${USAGE}\nEnvironment variables are the settings: ${page}\n`)
    return true
  },
  async '--version'() {
    process.stdout.write(`${readManifest().version}\n`)
    return true
  },
  async gateway(args, environment) {
    if (args.length > 0) return false
    const { runGateway } = await import('./commands/gateway.ts')
    await runGateway(environment)
    return true
  },
  async worker(args, environment) {
    if (args.length > 0) return false
    const { runWorker } = await import('./commands/worker.ts')
    await runWorker(environment)
    return true
  },
  async demo(args) {
    const { readDemoOptions, showDemo } = await import('./commands/demo.ts')
    const options = readDemoOptions(args)
    if (options === null) return false
    await showDemo(options)
    return true
  },
}

const USAGE = `Usage: kyc-shadow-worker COMMAND    (npx @vaani/kyc-shadow-worker, or npm run shadow -- in a clone)

  gateway   passes requests on to the primary, copies what is sampled, and runs the worker beside it
  worker    runs the shadow submissions, the evidence, the gate and the administration, without a gateway
  demo      shows a whole migration on this machine in two minutes, with a regression and its rollback;
            --fast takes less evidence, --exit ends it with the story

  --help    prints this text
  --version prints the version
`

// An uncaught error must not leave a process that half works: it exits, and its supervisor restarts it.
surviveLostOutput()
const [name = '', ...args] = process.argv.slice(2)
try {
  const isTaken = Object.hasOwn(COMMANDS, name) && (await COMMANDS[name]?.(args, process.env))
  if (!isTaken) process.stderr.write(USAGE)
  if (!isTaken) process.exitCode = 2
} catch (error) {
  process.stderr.write(describe(error))
  process.exitCode = 1
}

/** Reads the package.json of this package, which is beside `src` and `dist`. */
function readManifest() {
  const manifest: { version: string; homepage: string } = createRequire(import.meta.url)('../package.json')
  return manifest
}

function describe(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is wrong: ${error.message}\n`
  if (!(error instanceof Error)) return 'It could not run\n'
  const stack = EXPLAINED.has(error.name) ? '' : `${error.stack ?? ''}\n`
  return `It could not run: ${error.message}\n${stack}`
}
