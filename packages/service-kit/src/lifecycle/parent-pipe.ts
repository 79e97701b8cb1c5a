import { Socket } from 'node:net'

/** Set by a parent whose exit must end this process: the file descriptor of a pipe that the parent keeps open. */
const VARIABLE = 'VAANI_PARENT_PIPE'

/**
 * Resolves when the process that started this one is gone, however it ended, if that process asked for it. Other parents, e.g.
 * shells, `nohup` and daemonizers, may end without ending this process.
 */
export function waitForEndOfParent(): Promise<'the end of the parent'> {
  const { promise, resolve } = Promise.withResolvers<'the end of the parent'>()
  const descriptor = process.env[VARIABLE]
  // Child processes must not inherit it.
  delete process.env[VARIABLE]
  if (descriptor !== undefined) {
    const pipe = new Socket({ fd: Number(descriptor), readable: true, writable: false })
    pipe.on('error', () => undefined)
    pipe.once('close', () => resolve('the end of the parent'))
    pipe.resume()
    // The pipe must not keep the process running.
    pipe.unref()
  }
  return promise
}
