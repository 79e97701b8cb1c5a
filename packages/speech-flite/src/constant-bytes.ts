const DATA_SECTION = 11
/** An active segment of memory 0, at an address that `i32.const` gives. */
const ACTIVE = 0
const I32_CONST = 0x41
const HEADER_BYTES = 8

/**
 * Returns how many bytes at the beginning of a program's memory it never writes. LLVM's linker lays out constants, variables and then
 * the stack and the heap, and writes two segments of data, the constants and the variables; 0 for a program of another layout.
 *
 * @param bytes - a module: https://webassembly.github.io/spec/core/binary/modules.html
 */
export function constantBytesOf(bytes: Uint8Array): number {
  const reader = createReader(bytes)
  while (!reader.isAtEnd()) {
    const section = reader.byte()
    const length = reader.integer()
    if (section === DATA_SECTION) return addressOfVariables(reader)
    reader.skip(length)
  }
  return 0
}

function addressOfVariables(reader: Reader): number {
  if (reader.integer() !== 2) return 0
  const constants = readSegment(reader)
  const variables = constants && readSegment(reader)
  if (variables === undefined || constants === undefined) return 0
  return constants.end <= variables.start ? variables.start : 0
}

function readSegment(reader: Reader): { start: number; end: number } | undefined {
  if (reader.integer() !== ACTIVE || reader.byte() !== I32_CONST) return undefined
  // Signed, but no address is so large that it would be negative.
  const start = reader.integer()
  reader.skip(1)
  const length = reader.integer()
  reader.skip(length)
  return { start, end: start + length }
}

interface Reader {
  isAtEnd(): boolean
  byte(): number
  /** An integer in LEB128. */
  integer(): number
  skip(bytes: number): void
}

function createReader(bytes: Uint8Array): Reader {
  let at = HEADER_BYTES
  const byte = (): number => bytes[at++] ?? 0
  return {
    isAtEnd: () => at >= bytes.length,
    byte,
    integer() {
      let [value, scale, next] = [0, 1, byte()]
      for (; next >= 0x80; next = byte()) {
        value += (next - 0x80) * scale
        scale *= 0x80
      }
      return value + next * scale
    },
    skip: (count) => void (at += count),
  }
}
