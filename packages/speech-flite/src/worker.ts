import { parentPort, workerData } from 'node:worker_threads'
import { createFlite } from './flite.ts'
import { type Job, type Reply, SAMPLE_RATE_HZ, type ThreadSettings } from './messages.ts'
import { RuntimeError } from './web-assembly.ts'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread')
const { command, warms }: ThreadSettings = workerData
const flite = createFlite(command)
const reply = (message: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

const NEUTRAL = {
  stretch: 1,
  pitchHz: 120,
  deviationHz: 20,
  takenAtHz: SAMPLE_RATE_HZ,
  gainDb: 0,
  marksWords: false,
}
// The first sentences take three times as long, until the program is optimized. Spend that here, not in a request.
for (const voice of warms) flite.speak({ ...NEUTRAL, words: ['Good', 'morning'], voice })

port.on('message', ({ id, ...phrase }: Job) => {
  try {
    const spoken = flite.speak(phrase)
    reply({ type: 'spoken', id, ...spoken }, [spoken.samples.buffer])
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error
    reply({ type: 'failed', id })
  }
})
reply({ type: 'ready' })
