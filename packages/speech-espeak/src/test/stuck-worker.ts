/** A thread that never comes back from the text `stuck`, and is done at once with any other. */
import { parentPort } from 'node:worker_threads'
import type { Job, Reply } from '../messages.ts'

const reply = (message: Reply) => parentPort?.postMessage(message)

parentPort?.on('message', ({ id, text }: Job) => {
  if (text === 'stuck') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  reply({ type: 'end', id })
})
reply({ type: 'ready' })
