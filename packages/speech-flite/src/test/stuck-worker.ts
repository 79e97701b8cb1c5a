/** A worker that blocks forever on the word `stuck`, ends at `exit`, and finishes any other phrase at once. */
import { parentPort } from 'node:worker_threads'
import type { Job, Reply } from '../messages.ts'

const reply = (message: Reply) => parentPort?.postMessage(message)

parentPort?.on('message', ({ id, words }: Job) => {
  if (words[0] === 'stuck') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (words[0] === 'exit') throw new Error('This thread ends')
  if (words[0] === 'fail') return reply({ type: 'failed', id })
  reply({ type: 'spoken', id, samples: new Int16Array(1), starts: [] })
})
reply({ type: 'ready' })
