/** A problem that the page itself found. Its message is in the language of the page, unlike that of any other error. */
export class PageError extends Error {
  override readonly name = 'PageError'
}
