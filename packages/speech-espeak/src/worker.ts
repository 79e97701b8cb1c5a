import { parentPort, workerData } from 'node:worker_threads'
import { loadEspeak } from './load-espeak.ts'
import type { Job, Reply, WorkerSettings } from './messages.ts'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread')
const settings: WorkerSettings = workerData
const canceled = new Int32Array(settings.canceled)
const espeak = await loadEspeak()
const reply = (message: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

port.on('message', ({ id, text, voice, parameters }: Job) => {
  const spoke = espeak.speak({
    markup: text,
    voice,
    parameters,
    onSamples(samples) {
      if (Atomics.load(canceled, 0) === id) return false
      reply({ type: 'chunk', id, samples }, [samples.buffer])
      return true
    },
  })
  reply({ type: spoke ? 'end' : 'failed', id })
  espeak.forget()
})
reply({ type: 'ready' })
