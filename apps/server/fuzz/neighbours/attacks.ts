import { readFile } from 'node:fs/promises'
import { STREAM_MODEL } from '@vaani/contracts'
import { specimenPath } from '../../test/support/specimen-path.ts'

/** A request with its body. */
export interface Sent {
  route: string
  type: string
  body: string | Uint8Array<ArrayBuffer>
}

/** What one account sends all the time, and another beside it. */
export interface Attack {
  name: string
  expensive: Sent
  atOnce: number
  cheapest: Sent
}

export const json = (route: string, body: object): Sent => ({
  route,
  type: 'application/json',
  body: JSON.stringify(body),
})
const chat = (more: object = {}): Sent =>
  json('/v1/chat/completions', {
    model: 'vaani-echo',
    messages: [{ role: 'user', content: 'Hello' }],
    ...more,
  })
const ofSchema = (schema: object): Sent =>
  chat({ response_format: { type: 'json_schema', json_schema: { name: 'hard', schema } } })
const synthesis = (text: string, speakingRate = 1): Sent =>
  json('/v1/engine/synthesize', {
    model: 'synth-l1',
    text,
    voice: 'default',
    language: 'en-US',
    speaking_rate: speakingRate,
  })
const stream = (input: string): Sent =>
  json('/v1/audio/stream', { model: STREAM_MODEL, input, language: 'en-US' })

const BACKTRACKING = `${'a'.repeat(40)}!`
const backtracking = {
  type: 'object',
  patternProperties: { '^(a+)+$': false },
  required: [BACKTRACKING],
  properties: { [BACKTRACKING]: { type: 'string' } },
}
/** Forty values in each of four places, of which no two agree. */
const contradictory = {
  allOf: [0, 1, 2, 3].map((place) => ({
    anyOf: Array.from({ length: 40 }, (_, value) => ({ const: `${place} ${value}` })),
  })),
}
const blankLines: Sent = {
  route: '/v1/batch',
  type: 'application/x-ndjson',
  body: new Uint8Array(Buffer.from(`{"endpoint":"/v1/chat/completions"}\n${'\n'.repeat(30_000_000)}`)),
}
/** A batch of one line. */
const line = (text: string): Sent => ({ ...blankLines, body: new Uint8Array(Buffer.from(text)) })
const manyDigits: Sent = {
  route: '/v1/chat/completions',
  type: 'application/json',
  body: `{"model":"vaani-echo","messages":[{"role":"user","content":"Hello"}],"seed":${'1'.repeat(4_000_000)}}`,
}

/** A form that clones a voice from a recording of 2.4 million chunks without content. */
function emptyChunks(): Sent {
  const chunk = Buffer.from('junk\0\0\0\0', 'latin1')
  const chunks = Buffer.alloc(2_400_000 * chunk.length, chunk)
  const header = Buffer.from('RIFF\0\0\0\0WAVE', 'latin1')
  header.writeUInt32LE(4 + chunks.length, 4)
  const part = (head: string) => `--edge\r\nContent-Disposition: form-data; ${head}\r\n`
  const before = `${part('name="name"')}\r\nSita\r\n${part('name="consent"')}\r\ntrue\r\n${part('name="samples"; filename="a.wav"')}Content-Type: audio/wav\r\n\r\n`
  return {
    route: '/v1/audio/clone',
    type: 'multipart/form-data; boundary=edge',
    body: new Uint8Array(
      Buffer.concat([Buffer.from(before), header, chunks, Buffer.from('\r\n--edge--\r\n')]),
    ),
  }
}

const picture = (await readFile(specimenPath('passport.jpg'))).toString('base64')
const document = json('/v1/ocr/process', { image_b64: picture })

export const ATTACKS: readonly Attack[] = [
  {
    name: 'a schema whose pattern backtracks',
    expensive: ofSchema(backtracking),
    atOnce: 20,
    cheapest: chat(),
  },
  {
    name: 'a schema that uses up its steps',
    expensive: ofSchema(contradictory),
    atOnce: 20,
    cheapest: chat(),
  },
  { name: 'a batch of 30 MB of blank lines', expensive: blankLines, atOnce: 8, cheapest: chat() },
  {
    name: 'a batch of a line of 20 MB of spaces',
    expensive: line(' '.repeat(20_000_000)),
    atOnce: 8,
    cheapest: chat(),
  },
  {
    name: 'a batch of a number of 15 million digits',
    expensive: line(`{"custom_id":"1","body":${'1'.repeat(15_000_000)}}`),
    atOnce: 8,
    cheapest: chat(),
  },
  { name: 'a number of 4 million digits', expensive: manyDigits, atOnce: 8, cheapest: chat() },
  { name: 'a recording of 2.4 million empty chunks', expensive: emptyChunks(), atOnce: 5, cheapest: chat() },
  {
    name: '5,000 signs that are read by name',
    expensive: synthesis('⠿'.repeat(5000), 0.5),
    atOnce: 10,
    cheapest: synthesis('Hello.'),
  },
  {
    name: 'streams of 4,000 characters',
    expensive: stream('Some words. '.repeat(330)),
    atOnce: 10,
    cheapest: stream('Hello.'),
  },
  { name: 'documents', expensive: document, atOnce: 10, cheapest: document },
  // Its pictures are read for some seconds afterwards.
  {
    name: 'a batch of a picture of 15 MB',
    expensive: line(
      `{"endpoint":"/v1/ocr/process"}\n{"custom_id":"1","body":{"image_b64":"${'A'.repeat(20_000_000)}"}}`,
    ),
    atOnce: 8,
    cheapest: chat(),
  },
]
