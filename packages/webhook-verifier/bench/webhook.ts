/**
 * `pnpm bench webhook`: verifications per second of CPU time, for this library, the same check written by hand, and other
 * verifiers. All run in turns in one process. The ratio to the check by hand is computed per round and its median printed,
 * so a change in the machine's speed affects both sides alike.
 */
import { verify as verifyOctokit } from '@octokit/webhooks-methods'
import { gzipLength } from '@vaani/browser'
import { createHmac } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import * as library from '../src/index.ts'
import { bundleForBrowsers, loadForBrowsers } from './bundle.ts'
import { createByHand } from './by-hand.ts'

const rounds = 75
const turnMs = 4
const standardKey = Buffer.alloc(24, 7)
const whsec = `whsec_${standardKey.toString('base64')}`

type Contender = () => unknown

const browser = await loadForBrowsers(['createVerifier'])

/** Contenders by group. The first of each group is the baseline of the others. */
async function createContenders(size: number): Promise<Record<string, Record<string, Contender>>> {
  const text = JSON.stringify({ event_id: 'evt_1', type: 'call.completed', data: 'नेपाल '.repeat(size) })
  const bytes = Buffer.from(text).subarray(0, size)
  const body = bytes.toString()
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const headers = await library.sign(bytes, { secrets: whsec, id: 'msg_1', timestampSeconds })
  const { 'x-service-signature': signature, ...signed } = headers
  const others = { host: 'example.com', 'content-type': 'application/json', 'content-length': String(size) }
  const serviceHeaders = { ...others, 'x-service-signature': signature }
  const standardHeaders = { ...others, ...signed }
  const verifier = library.createVerifier({ secrets: whsec })
  const webVerifier = browser.createVerifier({ secrets: whsec })
  const byHand = await createByHand({ serviceKey: Buffer.from(whsec), standardKey, body: bytes, headers })

  const standard = new StandardWebhook(whsec)
  const svix = new SvixWebhook(whsec)
  const stripe = new Stripe('sk_test').webhooks
  const stripeHeader = stripe.generateTestHeaderString({ payload: body, secret: whsec })
  const octokitSignature = `sha256=${createHmac('sha256', whsec).update(body).digest('hex')}`

  return {
    'Node, X-Service-Signature': {
      'node:crypto by hand': byHand.node.service,
      ours: () => verifier.verifySignature(bytes, serviceHeaders),
      '@octokit/webhooks-methods': () => verifyOctokit(whsec, body, octokitSignature),
    },
    'Node, Standard Webhooks': {
      'node:crypto by hand': byHand.node.standard,
      ours: () => verifier.verifySignature(bytes, standardHeaders),
      'stripe, verifyHeader': () => stripe.signature?.verifyHeader(body, stripeHeader, whsec),
      'standardwebhooks, without parsing': () => standard.verify(body, signed, { jsonParse: false }),
      svix: () => svix.verify(body, signed),
    },
    'WebCrypto, X-Service-Signature': {
      'subtle.verify by hand': byHand.web.service,
      ours: () => webVerifier.verifySignature(bytes, serviceHeaders),
    },
    'WebCrypto, Standard Webhooks': {
      'subtle.verify by hand': byHand.web.standard,
      ours: () => webVerifier.verifySignature(bytes, standardHeaders),
    },
  }
}

async function measureOperationsPerSecond(contender: Contender): Promise<number> {
  const start = process.cpuUsage()
  let operations = 0
  let elapsedMs = 0
  while (elapsedMs < turnMs) {
    for (let index = 0; index < 20; index += 1) {
      const result = contender()
      if (result instanceof Promise) await result
    }
    operations += 20
    // CPU time, because other processes may use the machine too.
    const { user, system } = process.cpuUsage(start)
    elapsedMs = (user + system) / 1000
  }
  return (operations / elapsedMs) * 1000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

for (const size of [1024, 100 * 1024]) {
  for (const [group, contenders] of Object.entries(await createContenders(size))) {
    const rates = new Map(Object.keys(contenders).map((name): [string, number[]] => [name, []]))
    for (let round = -2; round < rounds; round += 1) {
      const entries = Object.entries(contenders)
      // Rotate the order: a contender that runs after a heavy one pays for its garbage collection.
      const first = (round + 2) % entries.length
      for (const [name, contender] of [...entries.slice(first), ...entries.slice(0, first)]) {
        const rate = await measureOperationsPerSecond(contender)
        if (round >= 0) rates.get(name)?.push(rate)
      }
    }
    const [byHand = []] = rates.values()
    console.log(`\n${size / 1024} KB, ${group}: verifications per second, medians of ${rounds} rounds`)
    for (const [name, values] of rates) {
      const rate = Math.round(median(values)).toLocaleString('en')
      const share = median(values.map((value, round) => value / (byHand[round] ?? Number.NaN)))
      console.log(`${name.padEnd(36)}${rate.padStart(9)}  ${share.toFixed(3)}`)
    }
  }
}

console.log('\nbytes in a browser, minified and gzipped')
const whole = Object.entries(library).map(([name]) => name)
console.log(`createVerifier  ${gzipLength(await bundleForBrowsers(['createVerifier']))}`)
console.log(`all exports     ${gzipLength(await bundleForBrowsers(whole))}`)
