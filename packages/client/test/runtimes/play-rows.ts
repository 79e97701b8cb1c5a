import { type FaultServer, playFault, type SeenRequest } from '../faults/fault.ts'
import { faultTable } from '../faults/table.ts'
import type { NextRow, Outcome } from './control-server.ts'

/**
 * A row whose promise never settles shall not hold up those that follow. Chromium may drain the body of a request that was ended
 * for five seconds before it closes the connection, which some rows wait for.
 */
const ROW_LIMIT_MS = 8000

/** Plays, in the runtime that calls it, the rows that the control server asks for, until it asks for no more. */
export async function playRows(options: {
  readonly controlUrl: string
  readonly inspect: (value: unknown) => string
}): Promise<void> {
  const { controlUrl, inspect } = options
  for (;;) {
    const next = await get<NextRow | null>(`${controlUrl}/next`)
    if (next === null) return
    await post(`${controlUrl}/outcome`, await outcomeOf(next))
  }

  async function outcomeOf({ name, url, mediaPath }: NextRow): Promise<Outcome> {
    const fault = faultTable.find((fault) => fault.name === name)
    if (!fault) return { failure: `There is no row ${name}` }
    const server = remoteServer(controlUrl, url)
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`Not done in ${ROW_LIMIT_MS} ms`)), ROW_LIMIT_MS)
    })
    try {
      await Promise.race([late, playFault(fault, { server, inspect, mediaPath })])
      return { failure: null }
    } catch (error) {
      return { failure: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The server of a row, which runs in the process of the tests. */
function remoteServer(controlUrl: string, url: string): FaultServer {
  return {
    url,
    seen: () => get<readonly SeenRequest[]>(`${controlUrl}/seen`),
    begun: (number) => post(`${controlUrl}/begun`, number),
    received: (number) => post(`${controlUrl}/received`, number),
    closed: (number) => post(`${controlUrl}/closed`, number),
    hangUp: (number) => post(`${controlUrl}/hang-up`, number),
    stop: () => post(`${controlUrl}/stop`, null),
  }
}

const get = async <Value>(url: string): Promise<Value> => (await (await fetch(url)).json()) as Value

async function post(url: string, value: unknown): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(value) })
  const text = await response.text()
  if (!response.ok) throw new Error(`The control server failed: ${text}`)
}
