/** Exceeds every item of the contract; bounds the memory, because a line is buffered for parsing. */
const MAX_LINE_LETTERS = 2 ** 24

/**
 * Splits UTF-8 text into lines, without line endings, whatever the chunk boundaries.
 *
 * @param createError creates the error for a line that is too long
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  createError: (fault: string) => Error,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    // Searches each letter once: a long line may come in thousands of chunks.
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    const lines = [rest + first, ...others]
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line
    if (rest.length > MAX_LINE_LETTERS) throw createError('line too long')
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}
