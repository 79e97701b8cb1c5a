import path from 'node:path'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Config } from './features.ts'
import {
  CARRIERS_VARIABLE,
  isLine,
  type LineEntry,
  readCarriers,
} from './features/calls/carriers/carriers-file.ts'
import { callNumber, learnHealth } from './features/calls/carriers/check-line.ts'
import { describeCheckedCall, describeCheckedLine } from './features/calls/carriers/describe-check.ts'
import { openLine } from './features/calls/carriers/open-line.ts'

/**
 * Asks the far end of each phone line of the operator's file, or of one, whether it takes calls, and prints what it says. Calls a number
 * if one is given, which costs what a call costs.
 *
 * @returns whether all is well
 * @throws ConfigError if the file is invalid, or has no such line
 */
export async function printLines(
  config: Config,
  options: {
    name: string | undefined
    number: string | undefined
    /** Whether to print what a SIP line sends and receives. */
    isTraced: boolean
    signal: AbortSignal
    print: (text: string) => void
  },
): Promise<boolean> {
  const { carriersFile } = config
  const { name: wanted, number, isTraced, signal, print } = options
  const { carriers } = await readCarriers(carriersFile)
  const lines = Object.entries(carriers).flatMap(([name, entry]): [string, LineEntry][] =>
    isLine(entry) && (wanted === undefined || wanted === name) ? [[name, entry]] : [],
  )
  if (carriersFile === undefined || lines.length === 0)
    throw new ConfigError(
      `${CARRIERS_VARIABLE} names no ${wanted === undefined ? 'phone line' : `phone line “${wanted}”`}`,
    )
  let isWell = true
  for (const [name, entry] of lines) {
    const carrier = await openLine({
      name,
      entry: asChecked(entry, number !== undefined),
      takesCalls: false,
      folder: path.dirname(carriersFile),
      onCrash: () => undefined,
      ...(isTraced && { onTrace: (entry: string) => print(`${entry}\n`) }),
    })
    try {
      const health = await learnHealth(carrier, signal)
      print(`${name}: ${describeCheckedLine(health, entry)}\n`)
      isWell &&= health.state === 'up'
      const hasFailed = health.state === 'down' && health.reason === 'failed'
      if (number === undefined || hasFailed || signal.aborted) continue
      const call = await callNumber(carrier, { number, signal })
      print(`${name}: ${describeCheckedCall(call, entry)}\n`)
      isWell &&= call.ended.outcome === 'completed' && call.heard !== 'nothing'
    } finally {
      await carrier.close()
    }
  }
  return isWell
}

/** Ports of a server that runs are taken, so they are used only if the provider must reach us. */
function asChecked(entry: LineEntry, calls: boolean): LineEntry {
  switch (entry.type) {
    case 'sip':
      // A line that is not watched is watched for the check.
      return { ...entry, local_port: undefined, keep_alive: true }
    case 'twilio':
    case 'telnyx':
    case 'vonage':
      return calls ? entry : { ...entry, listen_port: 0 }
  }
}
