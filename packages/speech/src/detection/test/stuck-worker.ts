/** A worker that hangs if the file is `stuck`, ends if it is `broken`, and finds nothing in others. */
import { parentPort } from 'node:worker_threads'
import type { DetectionReply } from '../detection-messages.ts'
import type { RecordingToSearch } from '../search-recording.ts'

parentPort?.on('message', ({ file }: RecordingToSearch) => {
  if (file === 'broken') throw new Error('This thread fails')
  if (file === 'stuck') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  const search = { durationSeconds: 0, detections: [] }
  parentPort?.postMessage({ type: 'done', search } satisfies DetectionReply)
})
