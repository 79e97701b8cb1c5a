import { countKeys } from '../../tenancy/key-rows.ts'
import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import * as accounts from '../../tenancy/migrations/0001-accounts.ts'
import * as accountIdentity from '../../tenancy/migrations/0005-account-identity.ts'
import * as modes from '../../tenancy/migrations/0006-modes.ts'
import * as bounds from '../../tenancy/migrations/0011-bounds.ts'
import * as erasure from '../../tenancy/migrations/0012-erasure.ts'
import * as leases from '../../tenancy/migrations/0014-leases.ts'
import * as vaultKeys from '../../tenancy/migrations/0015-vault-keys.ts'
import * as traces from '../../tenancy/migrations/0017-traces.ts'
import * as retiredKeys from '../../tenancy/migrations/0035-retired-keys.ts'
import * as vaultCheck from '../../tenancy/migrations/0044-vault-check.ts'
import * as auditOfPages from '../../tenancy/migrations/0048-audit-of-pages.ts'
import { createCallerIdStore } from './caller-id-store.ts'
import type { AdminContext } from './context.ts'
import { createAccountRows } from './create-account-rows.ts'
import { ADMIN_EVENTS } from './events.ts'
import { prepareFirstAccount } from './first-start.ts'
import type { AdminPort } from './port.ts'
import { addCallerId } from './routes/add-caller-id.ts'
import { createAccount } from './routes/create-account.ts'
import { createKey } from './routes/create-key.ts'
import { listAccounts } from './routes/list-accounts.ts'
import { listAuditLog } from './routes/list-audit-log.ts'
import { listCallerIds } from './routes/list-caller-ids.ts'
import { listKeys } from './routes/list-keys.ts'
import { removeCallerId } from './routes/remove-caller-id.ts'
import { revokeKey } from './routes/revoke-key.ts'
import { updateAccount } from './routes/update-account.ts'
import { upsertAgent } from './routes/upsert-agent.ts'
import { type AdminSettings, adminSettings } from './settings.ts'

/** Accounts, their API keys, caller ids and agents. */
export const adminFeature = defineFeature({
  name: 'admin',
  contract: { admin: contract.admin },
  settings: adminSettings,
  migrations: {
    '0001-accounts': accounts,
    '0005-account-identity': accountIdentity,
    '0006-modes': modes,
    '0011-bounds': bounds,
    '0012-erasure': erasure,
    '0014-leases': leases,
    '0015-vault-keys': vaultKeys,
    '0017-traces': traces,
    '0035-retired-keys': retiredKeys,
    '0044-vault-check': vaultCheck,
    '0048-audit-of-pages': auditOfPages,
  },
  events: ADMIN_EVENTS,
  async start({
    settings,
    log,
    showsFirstKey,
    ...base
  }: Omit<AdminContext, 'callerIds'> &
    Pick<Services, 'log'> & { settings: AdminSettings; showsFirstKey: boolean }) {
    const { database } = base
    const callerIds = createCallerIdStore(database)
    const context: AdminContext = { ...base, callerIds }
    const firstKey = await prepareFirstAccount({
      ...context,
      log,
      bootstrapKey: settings.bootstrapApiKey,
      showsKey: showsFirstKey,
    })
    const port: AdminPort = {
      callerIds,
      firstKey,
      async createAccount(tx, { name, tier }) {
        const account = { name, tier, operator: false, callWebhookUrl: null, rateOverrides: {} }
        return (await createAccountRows({ ...context, tx, account })).account_id
      },
    }
    return {
      mounts: [
        handle(contract.admin, {
          createAccount: createAccount(context),
          listAccounts: listAccounts(context),
          updateAccount: updateAccount(context),
          createKey: createKey(context),
          listKeys: listKeys(context),
          revokeKey: revokeKey(context),
          listAuditLog: listAuditLog(context),
          addCallerId: addCallerId(context),
          listCallerIds: listCallerIds(context),
          removeCallerId: removeCallerId(context),
          upsertAgent: upsertAgent(context),
        }),
      ],
      port,
      counters: { keys: (tenant) => countKeys(database, tenant) },
    }
  },
})
