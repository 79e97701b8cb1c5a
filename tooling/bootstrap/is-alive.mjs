import process from 'node:process'

/** @param {number} processId */
export function isAlive(processId) {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    // The process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
