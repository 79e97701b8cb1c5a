import process from 'node:process'

import { isAlive } from './is-alive.mjs'
import { runQuietly } from './run-quietly.mjs'

const pollMs = 500
const script = 'bootstrap/run.mjs'
/** Before anything is fetched or installed, as it may be killed meanwhile. */
const firstParent = process.ppid

/**
 * Watches the npm or pnpm that runs this as a script of package.json: it waits for us, so it is only gone if it was
 * killed. Any other parent, such as a shell, may end without us.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {() => void} onGone
 * @returns {() => void} what stops it
 */
export function watchPackageManager(environment, onGone) {
  if (environment['npm_lifecycle_script']?.includes(script) !== true) return () => undefined
  let packageManager = firstParent
  void findPackageManager().then((found) => (packageManager = found))
  const timer = setInterval(() => {
    if (process.ppid === firstParent && isAlive(packageManager)) return
    clearInterval(timer)
    onGone()
  }, pollMs)
  return () => clearInterval(timer)
}

/** Our parent, or the parent of the shell that it runs us by. */
async function findPackageManager() {
  const args = ['-o', 'ppid=,args=', '-p', String(firstParent)]
  const { output } = await runQuietly({ file: 'ps', args, cwd: process.cwd(), environment: process.env })
  const [, parentOfParent, program = ''] = /^\s*(\d+)\s+(.*)/.exec(output) ?? []
  return program.includes(script) ? Number(parentOfParent) : firstParent
}
