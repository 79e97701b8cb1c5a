import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { ConfigError } from '../settings/define-settings.ts'

interface Place {
  host: string
  port: number
  /** Names of the environment variables that set host and port. */
  variables: { host: string; port: string }
}

const hasNoAddress = ({ host, variables }: Place) => `${variables.host}: ${host} has no address`

const REASONS: Readonly<Record<string, (place: Place) => string>> = {
  EADDRINUSE: ({ host, port, variables }) =>
    `${variables.port}: another program listens on port ${port} of ${host}; stop it or set another port`,
  EACCES: ({ port, variables }) => `${variables.port}: this user may not listen on port ${port}`,
  EADDRNOTAVAIL: ({ host, variables }) => `${variables.host}: ${host} is not an address of this machine`,
  ENOTFOUND: hasNoAddress,
  EAI_AGAIN: hasNoAddress,
}

/**
 * Makes the server listen.
 *
 * @returns the port
 * @throws ConfigError naming the variable that the operator must change
 */
export async function listen(server: Server, place: Place): Promise<number> {
  try {
    await once(server.listen(place.port, place.host), 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = REASONS[code]?.(place)
    throw reason === undefined ? error : new ConfigError(reason, { cause: error })
  }
  return (server.address() as AddressInfo).port
}
