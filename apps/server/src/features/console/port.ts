/** What the console offers to whoever starts the server. */
export interface ConsolePort {
  /** Creates the secret of a link that opens the console signed in; null if no key could be used. */
  createLink(): Promise<string | null>
  /** Begins to build the pages of a clone, before somebody opens them. */
  prepare(): void
}
