import { parentPort, workerData } from 'node:worker_threads'
import { runLineWorker } from '../../src/line/run-line-worker.ts'
import { openPlainAgent } from './plain-agent.ts'

if (!parentPort) throw new Error('plain-line-worker runs only in a worker thread')
await runLineWorker({ port: parentPort, data: workerData, openAgent: openPlainAgent })
