import { spawnSync } from 'node:child_process'

/** Whether this process may start Node as that user, and the user may read these sources: not in a folder closed to others. */
export function canRunAs(uid: number): boolean {
  if (process.getuid?.() !== 0) return false
  const program = `require('node:fs').accessSync(${JSON.stringify(import.meta.filename)})`
  return spawnSync(process.execPath, ['--eval', program], { uid }).status === 0
}
