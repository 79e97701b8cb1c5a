import process from 'node:process'

import { isAlive } from './is-alive.mjs'
import { runQuietly } from './run-quietly.mjs'

const pollMs = 500
const script = 'bootstrap/run.mjs'
/** Read before anything is fetched or installed, because the parent may be killed meanwhile. */
const firstParent = process.ppid

/**
 * Watches the npm or pnpm that runs this as a package.json script. It waits for us, so if it is gone, it was killed.
 * Any other parent, such as a shell, may end before us.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {() => void} onGone
 * @returns {() => void} stops watching
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

/** Our parent, or the parent of the shell through which it runs us. */
async function findPackageManager() {
  const args = ['-o', 'ppid=,args=', '-p', String(firstParent)]
  const { output } = await runQuietly({ file: 'ps', args, cwd: process.cwd(), environment: process.env })
  const [, parentOfParent, program = ''] = /^\s*(\d+)\s+(.*)/.exec(output) ?? []
  return program.includes(script) ? Number(parentOfParent) : firstParent
}
