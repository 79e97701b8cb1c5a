/** The few parts of the protobuf wire format that an ONNX model needs: https://protobuf.dev/programming-guides/encoding/. */
const VARINT = 0
const LENGTH_DELIMITED = 2

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)]
    bytes.push(Number(rest & 127n) | 128)
  }
}

/** An integer or enum field. */
export const integer = (field: number, value: number): number[] => [
  ...varint((field << 3) | VARINT),
  ...varint(value),
]

/** A string, bytes or message field. */
export function bytes(field: number, value: string | Iterable<number>): number[] {
  const content = typeof value === 'string' ? [...new TextEncoder().encode(value)] : [...value]
  return [...varint((field << 3) | LENGTH_DELIMITED), ...varint(content.length), ...content]
}
