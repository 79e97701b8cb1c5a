/** A running service, started here or elsewhere. */
export interface Service {
  readonly url: string
  stop(): Promise<void>
}

/** One way to get a service. */
export interface Source {
  /** Its name in the line that reports the services of a test run. */
  readonly name: string
  /** Resolves to undefined if this source is not available on this machine; rejects if it is available but fails. */
  start(): Promise<Service | undefined>
}

export interface Started {
  /** Undefined if no source is available. */
  readonly service: Service | undefined
  /** The name of its source, with the reasons why earlier sources failed. */
  readonly description: string
}

/** Starts the service from the first source that succeeds. */
export async function startFirst(sources: readonly Source[]): Promise<Started> {
  const failures: string[] = []
  for (const source of sources) {
    try {
      const service = await source.start()
      if (service) return { service, description: describe(source.name, failures) }
    } catch (error) {
      failures.push(`${source.name} failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { service: undefined, description: describe('none', failures) }
}

function describe(name: string, failures: readonly string[]): string {
  return failures.length === 0 ? name : `${name} (${failures.join('; ')})`
}
