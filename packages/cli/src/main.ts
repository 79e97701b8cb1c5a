#!/usr/bin/env node
import { homedir } from 'node:os'
import { CliError } from './cli-error.ts'
import { runCli } from './run-cli.ts'

const interruption = new AbortController()
const interrupt = (): void =>
  interruption.abort(new CliError('interrupted', { family: 'interrupted', code: 'aborted' }))
// Once: a second Ctrl-C ends a process that does not end by itself.
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)
// A reader that has gone, as `head` does, is a reason to end and no fault.
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
// A terminal that was read from would keep the process.
process.stdin.unref?.()

/** As containers have it, where a user has no home. */
function findHome(): string {
  try {
    return homedir()
  } catch {
    // Node throws where the system does not know the user.
    return '/'
  }
}
