/** A failure whose message tells the reader what to do; it is shown without a stack. */
export class BootstrapError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message)
    this.name = 'BootstrapError'
  }
}
