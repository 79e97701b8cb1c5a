/**
 * A model that hums: each character is a tone of 100 ms whose pitch follows from the character and the speaker. It has the
 * inputs of a VITS model of Coqui and no learned weights. Field numbers are those of
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
 */
import { bytes, integer } from './write-protobuf.ts'

const SAMPLE_RATE_HZ = 22_050
const SAMPLES_PER_TOKEN = 2205
const TYPE = { float: 1, int64: 7 } as const
type TypeName = keyof typeof TYPE
const OPSET = 13
const IR_VERSION = 8

/** Characters with a token; the library drops others. */
const CHARACTERS = [..."_ abcdefghijklmnopqrstuvwxyz0123456789.,!?'"]

export const toyTokens = (): string => CHARACTERS.map((character, id) => `${character} ${id}\n`).join('')

/**
 * @param options.isBroken make each run fail inside ONNX Runtime, which is what a model with the wrong inputs does
 */
export function toyModel({ isBroken = false } = {}): Uint8Array {
  const graph = [
    node('Cast', ['x'], 'tokens', [attribute('to', TYPE.float)]),
    node('Cast', ['sid'], 'speaker', [attribute('to', TYPE.float)]),
    node('Mul', ['tokens', 'token_hz'], 'token_part'),
    node('Mul', ['speaker', 'speaker_hz'], 'speaker_part'),
    node('Add', ['token_part', 'speaker_part'], 'above_base'),
    node('Add', ['above_base', 'base_hz'], 'hz'),
    node('Unsqueeze', ['hz', 'last_axis'], 'hz_column'),
    // The second scale is the factor of the length.
    node('Gather', ['scales', 'length_index'], 'length_scale'),
    node('Mul', ['length_scale', 'token_samples'], 'samples'),
    node('Range', ['zero', 'samples', 'one'], 'times'),
    node('Mul', ['times', 'radians_per_hz'], 'radians'),
    node('Mul', ['hz_column', 'radians'], 'phases'),
    node('Sin', ['phases'], 'wave'),
    node('Mul', ['wave', 'amplitude'], 'quiet_wave'),
    node('Reshape', ['quiet_wave', 'shape'], 'y'),
    // Multiples of 10 Hz, so that each tone of 100 ms ends where the next begins.
    floats('token_hz', 10),
    floats('speaker_hz', 130),
    floats('base_hz', 150),
    floats('token_samples', SAMPLES_PER_TOKEN),
    floats('radians_per_hz', (2 * Math.PI) / SAMPLE_RATE_HZ),
    floats('amplitude', 0.3),
    floats('zero', 0),
    floats('one', 1),
    integers('last_axis', [2], [1]),
    integers('length_index', [1], []),
    integers('shape', isBroken ? [7, 7, 7] : [1, 1, -1], [3]),
    bytes(2, 'toy'),
    bytes(11, value('x', 'int64', [1, 'tokens'])),
    bytes(11, value('x_length', 'int64', [1])),
    bytes(11, value('scales', 'float', [3])),
    bytes(11, value('sid', 'int64', [1])),
    bytes(12, value('y', 'float', [1, 1, 'samples'])),
  ]
  return Uint8Array.from([
    ...integer(1, IR_VERSION),
    ...bytes(7, graph.flat()),
    ...bytes(8, integer(2, OPSET)),
    ...Object.entries(METADATA).flatMap(([key, text]) => bytes(14, [...bytes(1, key), ...bytes(2, text)])),
  ])
}

/** What sherpa-onnx reads to choose the front end. */
const METADATA = {
  model_type: 'vits',
  comment: 'coqui',
  frontend: 'characters',
  language: 'English',
  voice: 'en',
  has_espeak: '0',
  n_speakers: '2',
  sample_rate: String(SAMPLE_RATE_HZ),
  add_blank: '0',
  use_eos_bos: '0',
  blank_id: '0',
  bos_id: '0',
  eos_id: '0',
  pad_id: '0',
  punctuation: ', . ! ?',
}

const node = (
  operator: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly number[][] = [],
) =>
  bytes(1, [
    ...inputs.flatMap((name) => bytes(1, name)),
    ...bytes(2, output),
    ...bytes(4, operator),
    ...attributes.flatMap((one) => bytes(5, one)),
  ])

/** An attribute of an integer, whose type is 2. */
const attribute = (name: string, number: number): number[] => [
  ...bytes(1, name),
  ...integer(3, number),
  ...integer(20, 2),
]

const tensor = (name: string, type: TypeName, dimensions: readonly number[], raw: ArrayBuffer) =>
  bytes(5, [
    ...dimensions.flatMap((dimension) => integer(1, dimension)),
    ...integer(2, TYPE[type]),
    ...bytes(8, name),
    ...bytes(9, new Uint8Array(raw)),
  ])
const floats = (name: string, number: number) => tensor(name, 'float', [], Float32Array.of(number).buffer)
const integers = (name: string, numbers: readonly number[], dimensions: readonly number[]) =>
  tensor(name, 'int64', dimensions, BigInt64Array.from(numbers, BigInt).buffer)

/** A name with its type and its dimensions, of which some have names instead of sizes. */
const value = (name: string, type: TypeName, dimensions: readonly (number | string)[]): number[] => {
  const shape = dimensions.flatMap((size) =>
    bytes(1, typeof size === 'number' ? integer(1, size) : bytes(2, size)),
  )
  return [...bytes(1, name), ...bytes(2, bytes(1, [...integer(1, TYPE[type]), ...bytes(2, shape)]))]
}
