import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { AddVoiceError } from './add-voice-error.ts'

/**
 * Makes a file or folder that says that this process is at work. Its name begins with `prefix` and is like no other. Each makes its own
 * before it looks for others, so of two at a time at least one sees the other. What crashed processes left is removed.
 *
 * @returns its path
 * @throws AddVoiceError if another process is at work
 */
export async function claim(
  prefix: string,
  make: (own: string) => Promise<unknown>,
  undo: AsyncDisposableStack,
): Promise<string> {
  const own = `${prefix}${process.pid}-${randomUUID()}`
  undo.defer(() => rm(own, { recursive: true, force: true }))
  await make(own)
  const folder = path.dirname(prefix)
  for (const name of await readdir(folder)) {
    const other = path.join(folder, name)
    const [, id] = (other.startsWith(prefix) && /^(\d+)-/.exec(other.slice(prefix.length))) || []
    if (id === undefined || other === own) continue
    if (isRunning(Number(id)))
      throw new AddVoiceError(`Another \`voices add\` is running, as process ${id}. If not, remove ${other}`)
    await rm(other, { recursive: true, force: true })
  }
  return own
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
