import { parentPort } from 'node:worker_threads'
import { examine } from './examine.ts'
import type { ExamineReply, ExamineRequest } from './examine-messages.ts'

parentPort?.on('message', async (request: ExamineRequest) => {
  const reply = await examine(request).catch((error: unknown): ExamineReply => ({ type: 'failed', error }))
  parentPort?.postMessage(reply)
})
