/** A worker that blocks forever on the text `stuck`, and finishes any other at once. */
import { parentPort } from 'node:worker_threads'
import type { Job, Reply } from '../messages.ts'

const reply = (message: Reply) => parentPort?.postMessage(message)

parentPort?.on('message', ({ id, text }: Job) => {
  if (text === 'stuck') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  reply({ type: 'end', id })
})
reply({ type: 'ready' })
