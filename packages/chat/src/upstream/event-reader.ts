/** Splits the bytes of a stream of server-sent events into the data of its events. */
export interface EventReader {
  /**
   * Returns the data of the events that these bytes complete. Comments and other fields than `data` are left out.
   *
   * @throws RangeError if an event is longer than the limit
   */
  push(bytes: Uint8Array): string[]
}

const DATA = 'data:'

/** @param maxBytes limit on one event, in UTF-16 units, of which UTF-8 has at least as many bytes */
export function createEventReader(maxBytes: number): EventReader {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string | undefined
  return {
    push(bytes) {
      const complete: string[] = []
      const text = rest + decoder.decode(bytes, { stream: true })
      let start = 0
      // The rest of an earlier push has no line end.
      let end = text.indexOf('\n', rest.length)
      for (; end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
        const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
        if (line === '') {
          if (data !== undefined) complete.push(data)
          data = undefined
        } else if (line.startsWith(DATA)) {
          const value = line.slice(line[DATA.length] === ' ' ? DATA.length + 1 : DATA.length)
          data = data === undefined ? value : `${data}\n${value}`
        }
        if ((data?.length ?? 0) > maxBytes) throw new RangeError('An event is too long')
      }
      rest = text.slice(start)
      if (rest.length > maxBytes) throw new RangeError('An event is too long')
      return complete
    },
  }
}
