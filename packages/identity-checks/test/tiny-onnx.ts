/**
 * Writes ONNX models of a few nodes, byte by byte (the protocol buffers of onnx.proto, version 8 of the format, operators of
 * version 13), for tests. The models measure colours and know nothing of faces or people.
 */
type Field = [number: number, value: number | string | Uint8Array]

function varint(value: number): number[] {
  const bytes: number[] = []
  let left = value
  do {
    const more = left > 127
    bytes.push((left % 128) | (more ? 128 : 0))
    left = Math.floor(left / 128)
  } while (left > 0)
  return bytes
}

function message(...fields: readonly Field[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [...varint(number * 8), ...varint(value)]
      const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
      return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes]
    }),
  )
}

const FLOAT = 1
const valueInfo = (name: string, dims: readonly number[]) =>
  message(
    [1, name],
    [2, message([1, message([1, FLOAT], [2, message(...dims.map((dim): Field => [1, message([1, dim])]))])])],
  )
const tensor = (name: string, dims: readonly number[], values: readonly number[]) =>
  message(
    ...dims.map((dim): Field => [1, dim]),
    [2, FLOAT],
    [8, name],
    [9, new Uint8Array(Float32Array.from(values).buffer)],
  )

export interface TinyNode {
  operator: string
  inputs: readonly string[]
  output: string
}

/** Writes a model with one input, named `picture`, of 1 by 3 by height by width. */
export function tinyOnnx(model: {
  width: number
  height: number
  nodes: readonly TinyNode[]
  constants?: readonly { name: string; dims: readonly number[]; values: readonly number[] }[]
  outputs: readonly { name: string; dims: readonly number[] }[]
}): Uint8Array {
  const graph = message(
    ...model.nodes.map(({ operator, inputs, output }): Field => [
      1,
      message(...inputs.map((input): Field => [1, input]), [2, output], [4, operator]),
    ]),
    [2, 'tiny'],
    ...(model.constants ?? []).map(({ name, dims, values }): Field => [5, tensor(name, dims, values)]),
    [11, valueInfo('picture', [1, 3, model.height, model.width])],
    ...model.outputs.map(({ name, dims }): Field => [12, valueInfo(name, dims)]),
  )
  return message([1, 8], [7, graph], [8, message([2, 13])])
}
