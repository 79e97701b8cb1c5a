import { SCOPES, WEBHOOK_EVENT_TYPES } from '@vaani/contracts'
import type { Receiver } from '@vaani/test-harness'
import { OPERATOR_KEY } from './cluster.ts'

/** An account in one mode, with its own key and endpoint. */
export interface ChaosTenant {
  name: string
  key: string
  livemode: boolean
  /** The receiver path of its webhooks. */
  path: string
}

/** All that the load can cause. An earlier version may not know the others. */
const EVENTS = WEBHOOK_EVENT_TYPES.filter((type) => !/^(?:batch|document)\./.test(type))
const NO_LIMIT = { limit: 100_000, period_seconds: 1 }
const RATES = {
  place_call: NO_LIMIT,
  speech_stream: NO_LIMIT,
  status_polls: NO_LIMIT,
  verification_reads: NO_LIMIT,
}

async function ask(url: string, key: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer as Record<string, string>
}

/** Creates two accounts, each with a tenant in live mode and one in test mode. */
export async function createTenants(url: string, receiver: Receiver): Promise<ChaosTenant[]> {
  const tenants: ChaosTenant[] = []
  for (const name of ['first', 'second']) {
    const account = await ask(`${url}/admin/accounts`, OPERATOR_KEY, {
      name,
      tier: 'pro',
      rate_overrides: RATES,
    })
    for (const livemode of [true, false]) {
      const { key = '' } = await ask(`${url}/admin/keys`, OPERATOR_KEY, {
        account_id: account['account_id'],
        name,
        scopes: SCOPES,
        livemode,
      })
      const path = `/${name}/${livemode ? 'live' : 'test'}`
      const endpoint = { url: receiver.url + path, events: EVENTS }
      const { secret = '' } = await ask(`${url}/webhooks/endpoints`, key, endpoint)
      receiver.trust(secret)
      tenants.push({ name: path, key, livemode, path })
    }
  }
  return tenants
}
