#!/usr/bin/env node
import { createRequire } from 'node:module'
import { isatty } from 'node:tty'
import { type CommandLine, readCommandLine, USAGE, UsageError } from './command-line.ts'

const commandLine = read()
if (commandLine?.command === 'help') process.stdout.write(`${USAGE}\n${settingsLine()}`)
else if (commandLine?.command === 'version') process.stdout.write(`${readManifest().version}\n`)
else if (commandLine) {
  // Loading the server takes a second, and its first start several. Logs need no such line.
  if (commandLine.command === 'serve' && isatty(process.stdout.fd)) process.stdout.write('Starting Vaani …\n')
  const { run } = await import('./run.ts')
  await run(commandLine)
}

function read(): CommandLine | undefined {
  try {
    return readCommandLine(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
    return undefined
  }
}

/** Says where the settings are listed. */
function settingsLine(): string {
  const page = readManifest().homepage.replace('#readme', '#settings')
  return `Environment variables are the settings: ${page}\n`
}

/** Reads the package.json of this package, which is beside `src` and `dist`. */
function readManifest() {
  const manifest: { version: string; homepage: string } = createRequire(import.meta.url)('../package.json')
  return manifest
}
