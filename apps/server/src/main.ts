#!/usr/bin/env node
import { ConfigError, readConfig } from './config.ts'
import { createLogger } from './log.ts'
import { startServer } from './server.ts'
import { surviveLostOutput } from './survive-lost-output.ts'
import { runningText, welcomeText } from './welcome.ts'

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
  const config = readConfig(process.env)
  const log = createLogger(config.logLevel)
  const stop = waitForStop()
  await using server = await startServer({ config, log })
  const { address, context } = server
  if (address !== null)
    process.stdout.write(
      context.firstKey === null ? runningText(address) : welcomeText({ address, key: context.firstKey }),
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
  return error instanceof Error
    ? `The server could not run: ${error.message}\n${error.stack ?? ''}\n`
    : 'The server could not run\n'
}
