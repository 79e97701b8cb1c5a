/** A worker that hangs if the file is `stuck`, ends if it is `broken`, fails if it is `failing`, and names its thread otherwise. */
import { parentPort, threadId } from 'node:worker_threads'
import type { ExamineReply, ExamineRequest } from '../examine-messages.ts'

parentPort?.on('message', (request: ExamineRequest) => {
  const [file] = request.type === 'recordings' ? request.files : []
  if (file === 'broken') throw new Error('This thread fails')
  if (file === 'stuck') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  const reply: ExamineReply =
    file === 'failing'
      ? { type: 'failed', error: new Error('This examination fails') }
      : { type: 'refused', problems: [{ recording: threadId, reason: 'no_voice', message: '' }] }
  parentPort?.postMessage(reply)
})
