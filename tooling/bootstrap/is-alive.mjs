import process from 'node:process'

/** @param {number} processId */
export function isAlive(processId) {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    // It is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
