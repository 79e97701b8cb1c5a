import type { Stage } from '@vaani/contracts/migration'

/** What operators set elsewhere; null for what is not set there, or has no answer at the moment. */
export interface ProvidedFlag {
  readonly stage: Stage | null
  readonly isKilled: boolean | null
}

/** Who decides the stage. */
export interface FlagSource extends AsyncDisposable {
  /** `table`, or the name of an OpenFeature provider. */
  readonly name: string
  read(): Promise<ProvidedFlag>
}

/** The default: only the API and the gate change the flag. */
export const TABLE: FlagSource = {
  name: 'table',
  read: async () => ({ stage: null, isKilled: null }),
  [Symbol.asyncDispose]: async () => undefined,
}
