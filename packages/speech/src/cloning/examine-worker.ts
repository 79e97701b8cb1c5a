import { parentPort, workerData } from 'node:worker_threads'
import { examine } from './examine.ts'
import type { ExamineReply } from './examine-messages.ts'

const reply = await examine(workerData).catch((error: unknown): ExamineReply => ({ type: 'failed', error }))
parentPort?.postMessage(reply)
