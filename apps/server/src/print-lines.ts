import path from 'node:path'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Config } from './features.ts'
import { CARRIERS_VARIABLE, readCarriers, type SipEntry } from './features/calls/carriers/carriers-file.ts'
import { callNumber, learnHealth } from './features/calls/carriers/check-line.ts'
import { openSipCarrier } from './features/calls/carriers/sip-carrier.ts'
import { describeCheckedCall, describeCheckedTrunk } from './features/calls/carriers/describe-check.ts'

/**
 * Asks the trunk of each phone line of the operator's file, or of one, whether it takes calls, and prints what it says. Calls a number if
 * one is given, which costs what a call costs.
 *
 * @returns whether all is well
 * @throws ConfigError if the file is invalid, or has no such line
 */
export async function printLines(
  config: Config,
  options: {
    name: string | undefined
    number: string | undefined
    signal: AbortSignal
    print: (text: string) => void
  },
): Promise<boolean> {
  const { carriersFile } = config
  const { name: wanted, number, signal, print } = options
  const { carriers } = await readCarriers(carriersFile)
  const lines = Object.entries(carriers).flatMap(([name, entry]): [string, SipEntry][] =>
    entry.type === 'sip' && (wanted === undefined || wanted === name) ? [[name, entry]] : [],
  )
  if (carriersFile === undefined || lines.length === 0)
    throw new ConfigError(
      `${CARRIERS_VARIABLE} names no ${wanted === undefined ? 'phone line' : `phone line “${wanted}”`}`,
    )
  let isWell = true
  for (const [name, entry] of lines) {
    const carrier = await openSipCarrier({
      name,
      // Beside a server that runs, its port is taken; and a line that is not watched is watched for the check.
      entry: { ...entry, local_port: undefined, keep_alive: true },
      takesCalls: false,
      folder: path.dirname(carriersFile),
      onCrash: () => undefined,
    })
    try {
      const health = await learnHealth(carrier, signal)
      print(`${name}: ${describeCheckedTrunk(health, entry)}\n`)
      isWell &&= health.state === 'up'
      if (number === undefined || signal.aborted) continue
      const call = await callNumber(carrier, { number, signal })
      print(`${name}: ${describeCheckedCall(call)}\n`)
      isWell &&= call.ended.outcome === 'completed' && call.heard !== 'nothing'
    } finally {
      await carrier.close()
    }
  }
  return isWell
}
