import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Vaani } from '@vaani/client'
import type { Server } from './find-program.ts'
import { type Child, startChild } from './start-child.ts'

/** Policy with the regression: it does not look at the expiry of a document. */
const FAULTY_POLICY = 'ignores-expiry'
const POLICIES = { [FAULTY_POLICY]: { weights: { document_expiry: 'ignored' }, decline_on: [] } }
const UNLIMITED = { limit: 100_000, period_seconds: 1 }

/** The two deployments of the demo, both with the accounts and keys of the callers. */
export interface Deployments {
  readonly v1: Child
  readonly v2: Child
  /** Key of the callers; a test key, so that external ids choose the decisions and no picture is checked. */
  readonly callersKey: string
  /** The migration's own key at v2, and the secret that signs its callbacks. */
  readonly shadowKey: string
  readonly shadowSecret: string
  /** Plants the regression in v2, or removes it. */
  setFault(isFaulty: boolean): Promise<void>
}

export async function startDeployments(options: {
  server: Server
  folder: string
  ports: readonly [v1: number, v2: number]
  held: AsyncDisposableStack
  signal: AbortSignal
}): Promise<Deployments> {
  const { server, folder, ports, held, signal } = options
  const callersKey = `sk_test_${randomBytes(24).toString('base64url')}`
  const policies = path.join(folder, 'policies.json')
  await writeFile(policies, JSON.stringify(POLICIES))
  const start = async (name: 'v1' | 'v2', port: number): Promise<Child> => {
    const data = path.join(folder, name)
    await mkdir(data)
    const environment = {
      VAANI_DATA_DIR: data,
      VAANI_BOOTSTRAP_API_KEY: callersKey,
      VAANI_CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
      VAANI_IDENTITY_POLICIES_FILE: policies,
    }
    return held.use(await startChild({ name, program: server.program, port, environment, signal }))
  }
  const [v1, v2] = await Promise.all([start('v1', ports[0]), start('v2', ports[1])])
  for (const { url } of [v1, v2]) await liftLimits(new Vaani({ baseUrl: url, apiKey: callersKey }))

  const operator = new Vaani({ baseUrl: v2.url, apiKey: callersKey })
  const account = await operator.admin.createAccount({
    name: 'Migration from v1',
    tier: 'enterprise',
    rate_overrides: { kyc_submissions: UNLIMITED },
  })
  const { account_id } = account
  const key = await operator.admin.createKey({
    account_id,
    name: 'shadow',
    scopes: ['identity:write', 'identity:read'],
  })
  return {
    v1,
    v2,
    callersKey,
    shadowKey: key.key,
    shadowSecret: account.webhook_secret,
    async setFault(isFaulty) {
      await operator.admin.updateAccount(account_id, { identity_policy: isFaulty ? FAULTY_POLICY : null })
    },
  }
}

/** The callers of the demo are busier than an account may be. */
async function liftLimits(operator: Vaani): Promise<void> {
  const [own] = (await operator.admin.listAccounts()).data
  if (own !== undefined)
    await operator.admin.updateAccount(own.account_id, {
      rate_overrides: { kyc_submissions: UNLIMITED },
    })
}
