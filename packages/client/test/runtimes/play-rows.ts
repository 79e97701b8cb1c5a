import { type FaultServer, playFault, type SeenRequest } from '../faults/fault.ts'
import { faultTable } from '../faults/table.ts'
import type { NextRow, Outcome } from './control-server.ts'

/**
 * Time limit for a row, so that a promise that never settles does not block the following rows. Some rows wait for the connection to
 * close, and Chromium may drain the body of an ended request for five seconds first.
 */
const ROW_LIMIT_MS = 8000

/** Plays the rows that the control server hands out, in the runtime of the caller, until there are no more. */
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

/** Controls the server of a row, which runs in the test process. */
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
