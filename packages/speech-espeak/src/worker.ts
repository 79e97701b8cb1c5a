import { parentPort, workerData } from 'node:worker_threads'
import { loadEspeak } from './load-espeak.ts'
import type { Job, Reply, WorkerSettings } from './messages.ts'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread')
const settings: WorkerSettings = workerData
const canceled = new Int32Array(settings.canceled)
const waitingUrgently = new Int32Array(settings.waitingUrgently)
const espeak = await loadEspeak()
const reply = (message: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

port.on('message', ({ id, text, voice, parameters, from }: Job) => {
  // Each run is at least as long as what it repeats, so all runs together take at most three times as long as one.
  const sliceEnd = from + Math.max(settings.sliceSamples, from)
  let made = 0
  let paused = false
  const spoke = espeak.speak({
    markup: text,
    voice,
    parameters,
    onSamples(samples, words) {
      if (Atomics.load(canceled, 0) === id) return false
      const known = Math.max(0, Math.min(samples.length, from - made))
      made += samples.length
      const fresh = known === 0 ? samples : samples.slice(known)
      // Words that begin in known samples were sent with them.
      if (fresh.length > 0)
        reply({ type: 'chunk', id, samples: fresh, words: words.filter(({ sample }) => sample >= from) }, [
          fresh.buffer,
        ])
      paused = made >= sliceEnd && Atomics.load(waitingUrgently, 0) > 0
      return !paused
    },
  })
  if (!spoke) reply({ type: 'failed', id })
  else reply(paused ? { type: 'paused', id, samples: made } : { type: 'end', id })
  espeak.forget()
})
reply({ type: 'ready' })
