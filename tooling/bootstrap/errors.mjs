/** An error whose message explains what to do; it is printed without a stack. */
export class BootstrapError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message)
    this.name = 'BootstrapError'
  }
}
