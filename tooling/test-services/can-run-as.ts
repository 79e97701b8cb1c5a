import { spawnSync } from 'node:child_process'

/** Returns whether this process may start Node as that user, and that user can read these sources. */
export function canRunAs(uid: number): boolean {
  if (process.getuid?.() !== 0) return false
  const program = `require('node:fs').accessSync(${JSON.stringify(import.meta.filename)})`
  return spawnSync(process.execPath, ['--eval', program], { uid }).status === 0
}
