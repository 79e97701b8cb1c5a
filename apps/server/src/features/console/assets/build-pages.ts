import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'

/** Builds the pages of a clone in the background, so that the start waits for nothing. @throws Error if that fails */
export async function buildPages(script: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--conditions=vaani-source', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said = (said + String(data)).slice(-2000)))
  const [code]: (number | null)[] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The pages of the console could not be built: ${said}`)
}
