/** A service that runs, or one that somebody else runs. */
export interface Service {
  readonly url: string
  stop(): Promise<void>
}

/** One way to come by a service. */
export interface Source {
  /** How it is called in the line that says what the tests use. */
  readonly name: string
  /** Resolves to nothing where this way does not exist on this machine; rejects where it exists and fails. */
  start(): Promise<Service | undefined>
}

export interface Started {
  /** Undefined when no way led to one. */
  readonly service: Service | undefined
  /** The name of the source that it came from, with the reasons why better ones failed. */
  readonly description: string
}

/** Starts the service from the first source that can. */
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
