import { createLogger } from '@vaani/service-kit/telemetry/log'
import { type Config, features } from './features.ts'
import { makeNewKey } from './tenancy/new-key.ts'

/** Creates a key and prints it: the key alone to stdout, for scripts, and an explanation to stderr. */
export async function printNewKey(config: Config, livemode: boolean): Promise<void> {
  // Silent, because log lines would be taken for the key.
  const key = await makeNewKey({
    settings: config,
    migrations: features.migrations,
    livemode,
    log: createLogger('silent'),
  })
  const mode = livemode ? 'live' : 'test'
  process.stderr.write(`A new ${mode} key of the operator's account, with every scope, shown only once:\n`)
  await print(`${key}\n`)
  process.stderr.write(
    'If it replaces a lost key, revoke that one: GET /admin/keys lists keys, DELETE /admin/keys/{key_id} revokes one.\n',
  )
}

function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error)
        reject(
          new Error('The key was created but could not be printed; create another one', { cause: error }),
        )
      else resolve()
    })
  })
}
