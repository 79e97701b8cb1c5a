/** More than any item of the contract: a line is held in memory to be parsed. */
const MAX_LINE_LETTERS = 2 ** 24

/**
 * Lines of UTF-8 text, without their ends, however the bytes are cut.
 *
 * @param createError for a line that has no end
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  createError: (fault: string) => Error,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > MAX_LINE_LETTERS) throw createError('a line has no end')
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
