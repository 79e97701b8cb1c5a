import { parentPort, workerData } from 'node:worker_threads'
import load from '@echogarden/espeak-ng-emscripten'
import type { Job, Reply, WorkerSettings } from './messages.ts'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread')
const settings: WorkerSettings = workerData
const canceled = new Int32Array(settings.canceled)

const { eSpeakNGWorker } = await load()
const espeak = new eSpeakNGWorker()
const reply = (message: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

// The first use of the engine costs some 25 ms, which nobody should wait for.
espeak.set_voice('en-us', '')
espeak.synthesize('.', () => false)

let currentVoice = ''

function speak({ id, text, voice, parameters }: Job): void {
  // Setting a voice reads its files again, which takes as long as a short phrase.
  if (voice !== currentVoice) {
    currentVoice = ''
    if (espeak.set_voice(voice, '') !== 0) return reply({ type: 'failed', id })
    currentVoice = voice
  }
  espeak.set_rate(parameters.rate)
  espeak.set_pitch(parameters.pitch)
  espeak.set_range(parameters.range)
  espeak.set_volume(parameters.volume)
  espeak.synthesize(text, (chunk) => {
    if (Atomics.load(canceled, 0) === id) return true
    if (chunk !== null && chunk.length > 0) {
      // The engine owns its memory and uses it again.
      const samples = new Int16Array(chunk)
      reply({ type: 'chunk', id, samples }, [samples.buffer])
    }
    return false
  })
  reply({ type: 'end', id })
}

port.on('message', speak)
reply({ type: 'ready' })
