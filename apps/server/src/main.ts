#!/usr/bin/env node
import { readCommandLine, UsageError } from './command-line.ts'
import { ConfigError, readConfig } from './config.ts'
import { createLogger } from './log.ts'
import { printNewKey } from './print-new-key.ts'
import { startServer } from './server.ts'
import { surviveLostOutput } from './survive-lost-output.ts'
import { startText } from './welcome.ts'

/**
 * Waits for the first signal that asks the process to stop. Those after it change nothing: a signal to the whole group
 * of processes comes twice, from the sender and from the one that started us.
 */
function waitForStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve)
  })
}

async function main(): Promise<void> {
  const commandLine = readCommandLine(process.argv.slice(2))
  const config = readConfig(process.env)
  if (commandLine.command === 'new-key') return printNewKey(config, commandLine.livemode)
  const log = createLogger(config.logLevel)
  const stop = waitForStop()
  await using server = await startServer({ config, log })
  const { address, context } = server
  if (address !== null)
    process.stdout.write(
      startText({ address, firstKey: context.firstKey, isKeyGiven: config.bootstrapApiKey !== undefined }),
    )
  log.info({ signal: await stop }, 'Stopping')
}

// What nobody caught must not leave a process that half works: it ends, and is started again.
surviveLostOutput()
try {
  await main()
} catch (error) {
  const text =
    error instanceof ConfigError ? `The configuration is wrong: ${error.message}\n` : describe(error)
  process.stderr.write(text)
  process.exitCode = 1
}

function describe(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n`
  return error instanceof Error
    ? `The server could not run: ${error.message}\n${error.stack ?? ''}\n`
    : 'The server could not run\n'
}
