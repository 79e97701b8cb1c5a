/** A worker that ends if it is asked for the length of a file, hangs if it is asked for its bytes, and answers all else. */
import { parentPort } from 'node:worker_threads'
import type { RenderReply, RenderRequest } from '../render-messages.ts'

parentPort?.on('message', ({ id, type }: RenderRequest) => {
  if (type === 'measured') throw new Error('This thread fails')
  if (type === 'finish') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  parentPort?.postMessage({ id, type: 'done' } satisfies RenderReply)
})
