import { createLogger } from '@vaani/service-kit/telemetry/log'
import { type Config, features } from './features.ts'
import { makeNewKey } from './tenancy/new-key.ts'

/** Makes a key and prints it: the key alone on standard output, for scripts, and what to do with it beside it. */
export async function printNewKey(config: Config, livemode: boolean): Promise<void> {
  // Lines of the log would be taken for the key.
  const key = await makeNewKey({
    settings: config,
    migrations: features.migrations,
    livemode,
    log: createLogger('silent'),
  })
  const mode = livemode ? 'live' : 'test'
  process.stderr.write(`A new ${mode} key of the operator's account, with every scope, shown this once:\n`)
  await print(`${key}\n`)
  process.stderr.write(
    'If it replaces one that was lost, revoke that: GET /admin/keys lists them, DELETE /admin/keys/{key_id} revokes.\n',
  )
}

function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (error)
        reject(new Error('The key was made and could not be printed: make another one', { cause: error }))
      else resolve()
    })
  })
}
