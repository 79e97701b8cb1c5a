/** Pieces on which parsers of SIP have stumbled. */
const HOSTILE = [
  '\r\n',
  '\r',
  '\n',
  '\r\n\r\n',
  '\r\n ',
  '\0',
  '"',
  '\\',
  '\\"',
  '<',
  '>',
  ',',
  ';',
  ';;',
  '=',
  ':',
  '@',
  '%',
  '%00',
  '%ff',
  '[',
  ']',
  '[::1]',
  '/',
  '?',
  ' ',
  '\t',
  '\u{FEFF}',
  '\u{1F600}',
  '*',
  'SIP/2.0',
  'sip:',
  'tel:+',
  ';rport',
  ';received=',
  ';tag=',
  '-1',
  '4294967296',
  '99999999999999999999',
  '\r\nVia: ',
  '\r\nContent-Length: 1\r\n',
  '\r\nl: 70000\r\n',
  '\r\nReason: Q.850;cause=',
  '\r\nWWW-Authenticate: Digest realm="',
].map((piece) => new TextEncoder().encode(piece))

// Bytes that no UTF-8 has.
HOSTILE.push(Uint8Array.of(0xff), Uint8Array.of(0xc3))

const splice = (bytes: Uint8Array, at: number, removed: number, added: Uint8Array): Uint8Array => {
  const end = Math.min(bytes.length, at + removed)
  const result = new Uint8Array(bytes.length - (end - at) + added.length)
  result.set(bytes.subarray(0, at))
  result.set(added, at)
  result.set(bytes.subarray(end), at + added.length)
  return result
}

/** Longest piece that a change moves. */
const MAX_PIECE = 80
const MAX_CHANGES = 5
/** One message in so many gets a piece repeated until it exceeds a limit. */
const LONG_ONES = 200
const LONG_REPEATS = 600

/**
 * Spoils a message by a few random changes: bits, insertions, removals, moved or repeated pieces, pieces of another, an early end.
 * @param random gives numbers from 0 to 1
 */
export const mutate = (original: Uint8Array, other: Uint8Array, random: () => number): Uint8Array => {
  const below = (limit: number) => Math.floor(random() * limit)
  const pieceOf = (bytes: Uint8Array) => {
    const at = below(bytes.length)
    return bytes.subarray(at, at + 1 + below(MAX_PIECE))
  }
  let bytes = original
  // Mostly one: a message with many faults fails at the first.
  for (let change = Math.floor(random() ** 3 * MAX_CHANGES); change >= 0; change--) {
    const at = below(bytes.length)
    const hostile = HOSTILE[below(HOSTILE.length)] ?? new Uint8Array()
    switch (below(8)) {
      case 0:
        bytes = splice(bytes, at, 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << below(8))))
        break
      case 1:
        bytes = splice(bytes, at, 1, hostile)
        break
      case 2:
        bytes = splice(bytes, at, 0, hostile)
        break
      case 3:
        bytes = splice(bytes, at, 1 + below(MAX_PIECE), new Uint8Array())
        break
      case 4:
        bytes = splice(bytes, at, 0, pieceOf(bytes))
        break
      case 5:
        bytes = splice(bytes, at, below(MAX_PIECE), pieceOf(other))
        break
      case 6:
        if (random() < 0.2) bytes = bytes.slice(0, at)
        break
      default: {
        const repeats = below(LONG_ONES) === 0 ? LONG_REPEATS : 3
        const piece = random() < 0.5 ? hostile : pieceOf(bytes)
        const repeated = Uint8Array.from(
          { length: piece.length * repeats },
          (_, index) => piece[index % piece.length] ?? 0,
        )
        bytes = splice(bytes, at, 0, repeated)
      }
    }
  }
  return bytes
}
