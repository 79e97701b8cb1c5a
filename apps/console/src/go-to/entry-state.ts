/** What an entry of the browser's history has beside its address, which browsers write down. */
export interface EntryState {
  /** Whom a list is narrowed down to. */
  readonly person?: string
}
