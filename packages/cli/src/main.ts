#!/usr/bin/env node
import { homedir } from 'node:os'
import { CliError } from './failure/cli-error.ts'
import { runCli } from './run-cli.ts'

const interruption = new AbortController()
const interrupt = (): void =>
  interruption.abort(new CliError('interrupted', { family: 'interrupted', code: 'aborted' }))
// Once only, so that a second Ctrl-C kills a process that does not end by itself.
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)
// A closed reader, as after `head`, ends the run without an error.
process.stdout.on('error', (error) => interruption.abort(error))
process.stderr.on('error', (error) => interruption.abort(error))

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  variables: process.env,
  homeDirectory: findHome(),
  signal: interruption.signal,
})
// A terminal that was read from would keep the process alive.
process.stdin.unref?.()

/** Returns the home directory, or `/`, as in containers, if the user has none. */
function findHome(): string {
  try {
    return homedir()
  } catch {
    // Node throws if the system does not know the user.
    return '/'
  }
}
