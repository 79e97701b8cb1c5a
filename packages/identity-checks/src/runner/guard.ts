/**
 * A thread that ends its process if the job exceeds its budget or the parent process is gone. A signal is needed because
 * code in a loop or a native library handles no messages.
 */
import { workerData } from 'node:worker_threads'
import { createBudget, SIGNAL_OF } from './budget.ts'

export interface GuardData {
  shared: SharedArrayBuffer
  /** Id of the process that started this one. */
  parentId: number
}

const LOOK_MS = 100
const { shared, parentId }: GuardData = workerData
const budget = createBudget(shared)

setInterval(() => {
  if (process.ppid !== parentId) process.kill(process.pid, 'SIGKILL')
  const exceeded = budget.exceeded()
  if (exceeded !== null) process.kill(process.pid, SIGNAL_OF[exceeded])
}, LOOK_MS)
