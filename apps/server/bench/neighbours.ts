/**
 * `pnpm bench neighbours`: one account sends the most expensive requests that are known, all the time, and another the cheapest of the same
 * kind. How long do these take beside the others, and alone? Nobody should wait longer than one of the expensive requests takes by
 * itself. All are sent from one process, which has a part in the times of large bodies. Runs the built server: `pnpm build` first.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { STREAM_MODEL } from '@vaani/contracts'
import { specimenPath } from '../test/support/specimen-path.ts'
import { startServer } from './speech/server.ts'
import { median, printTable } from './speech/statistics.ts'

const ALONE = 20
const ATTACK_MS = 8000
const REFUSED_MS = 100

interface Sent {
  route: string
  type: string
  body: string | Uint8Array<ArrayBuffer>
}

interface Attack {
  name: string
  expensive: Sent
  atOnce: number
  cheapest: Sent
}

const json = (route: string, body: object): Sent => ({
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

const ATTACKS: readonly Attack[] = [
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
]

await using server = await startServer()

async function createAccount(name: string, rate_overrides: object): Promise<string> {
  const ask = async (route: string, body: object): Promise<Record<string, string>> => {
    const response = await send(json(route, body), server.key)
    if (response.status >= 300) throw new Error(`${route} answered ${response.status}`)
    return JSON.parse(response.answer)
  }
  const { account_id } = await ask('/admin/accounts', { name, tier: 'pro', rate_overrides })
  const scopes = ['models:use', 'speech:write', 'voices:write', 'batch:write']
  const { key = '' } = await ask('/admin/keys', { account_id, name, scopes, livemode: false })
  return key
}

async function send({ route, type, body }: Sent, key: string) {
  const startMs = performance.now()
  const response = await fetch(server.url + route, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body,
  })
  const answer = await response.text()
  return { status: response.status, answer, ms: performance.now() - startMs }
}

const OFTEN = { limit: 100_000, period_seconds: 1 }
const neighbour = await createAccount('neighbour', {
  chat: OFTEN,
  ocr: OFTEN,
  speech_stream: OFTEN,
  synthesis_light: OFTEN,
})

/** Sends the cheapest requests one after another. @throws Error if one is refused */
async function wait(cheapest: Sent, goesOn: (sent: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (goesOn(times.length)) {
    const { status, ms } = await send(cheapest, neighbour)
    if (status !== 200) throw new Error(`The neighbour was answered ${status}`)
    times.push(ms)
  }
  return times
}

async function measure({ name, expensive, atOnce, cheapest }: Attack): Promise<(string | number)[]> {
  // A new one each time, whose rates are not used up.
  const attacker = await createAccount(name, {})
  await wait(cheapest, (sent) => sent < 3)
  const alone = await wait(cheapest, (sent) => sent < ALONE)
  const { ms: unitMs } = await send(expensive, attacker)
  const statuses = new Map<number, number>()
  const endMs = performance.now() + ATTACK_MS
  const attacks = Array.from({ length: atOnce }, async () => {
    while (performance.now() < endMs) {
      const { status } = await send(expensive, attacker)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 429) await delay(REFUSED_MS)
    }
  })
  const beside = await wait(cheapest, () => performance.now() < endMs)
  await Promise.all(attacks)
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  const cells = [unitMs, median(alone), Math.max(...alone), median(beside), Math.max(...beside)]
  return [name, atOnce, answers, ...cells.map((ms) => ms.toFixed(0))]
}

const rows = []
for (const attack of ATTACKS) rows.push(await measure(attack))
console.log('Milliseconds of the cheapest request of another account\n')
printTable(
  ['expensive', 'at once', 'answered', 'one alone', 'cheapest alone', 'its worst', 'beside', 'its worst'],
  rows,
)
