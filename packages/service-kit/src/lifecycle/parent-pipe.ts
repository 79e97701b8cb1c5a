import { Socket } from 'node:net'

/** Set by a parent whose end is to be ours: the number of an open pipe that the parent holds the other end of. */
const VARIABLE = 'VAANI_PARENT_PIPE'

/**
 * Resolves when the process that started this one is gone, however it ended, if it asked for that. All other parents may
 * end without us: shells, `nohup`, those that make daemons.
 */
export function waitForEndOfParent(): Promise<'the end of the parent'> {
  const { promise, resolve } = Promise.withResolvers<'the end of the parent'>()
  const descriptor = process.env[VARIABLE]
  // Not for programs that we start.
  delete process.env[VARIABLE]
  if (descriptor !== undefined) {
    const pipe = new Socket({ fd: Number(descriptor), readable: true, writable: false })
    pipe.on('error', () => undefined)
    pipe.once('close', () => resolve('the end of the parent'))
    pipe.resume()
    // Not what keeps a process running.
    pipe.unref()
  }
  return promise
}
