import { parentPort, workerData } from 'node:worker_threads'
import { createLeveler } from '@vaani/speech/engine-kit'
import { loadEspeak } from './load-espeak.ts'
import { type Job, type MarkedWord, type Reply, SAMPLE_RATE_HZ, type WorkerSettings } from './messages.ts'
import { nextTrial } from './pace.ts'
import { createTempo } from './tempo.ts'

const port = parentPort
if (port === null) throw new Error('This file is a worker thread')
const settings: WorkerSettings = workerData
const canceled = new Int32Array(settings.canceled)
const waitingUrgently = new Int32Array(settings.waitingUrgently)
const espeak = await loadEspeak()
const reply = (message: Reply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

port.on('message', ({ id, text, voice, parameters: asked, hold, tempo = 1, gainDb, from }: Job) => {
  const isCanceled = () => Atomics.load(canceled, 0) === id
  const isWaitedFor = () => Atomics.load(waitingUrgently, 0) > 0
  /** Speaks the text unheard. */
  function lengthAt(rate: number): number {
    let length = 0
    const parameters = { ...asked, rate }
    const onSamples = ({ length: more }: Int16Array) => {
      length += more
      return !isCanceled()
    }
    espeak.speak({ markup: text, voice, parameters, onSamples })
    return length
  }
  let { rate } = asked
  let factor = tempo
  if (hold !== undefined) {
    const trials = [...hold.trials]
    let next = nextTrial({ rate: hold.rate, guess: rate }, trials)
    for (; 'tryAt' in next; next = nextTrial({ rate: hold.rate, guess: rate }, trials)) {
      trials.push([next.tryAt, lengthAt(next.tryAt)])
      if (!isWaitedFor()) continue
      reply({
        type: 'paused',
        id,
        samples: from,
        continued: { parameters: asked, hold: { ...hold, trials } },
      })
      return espeak.forget()
    }
    rate = next.wordsPerMinute
    factor = next.tempo
  }
  const parameters = { ...asked, rate }
  // Each run is at least as long as what it repeats, so all runs together take at most three times as long as one.
  const sliceEnd = from + Math.max(settings.sliceSamples, from)
  const changer = createTempo(factor)
  const leveler = createLeveler({ sampleRateHz: SAMPLE_RATE_HZ, gainDb })
  let made = 0
  let paused = false
  /** Words that begin in samples which were not sent yet, by this run or an earlier one. */
  let words: MarkedWord[] = []

  function send(samples: Int16Array<ArrayBuffer>, isLast = false): void {
    const known = Math.max(0, Math.min(samples.length, from - made))
    made += samples.length
    const fresh = known === 0 ? samples : samples.slice(known)
    if (fresh.length === 0) return
    const begun = words.filter(({ sample }) => isLast || sample < made)
    words = words.filter(({ sample }) => sample >= made)
    reply({ type: 'chunk', id, samples: fresh, words: begun }, [fresh.buffer])
  }
  const spoke = espeak.speak({
    markup: text,
    voice,
    parameters,
    onSamples(samples, begun) {
      if (isCanceled()) return false
      const placed = begun.map((word) => ({ ...word, sample: Math.round(word.sample / factor) }))
      words.push(...placed.filter(({ sample }) => sample >= from))
      send(leveler.push(changer.push(samples)))
      paused = made >= sliceEnd && isWaitedFor()
      return !paused
    },
  })
  if (!paused) {
    send(leveler.push(changer.flush()))
    send(leveler.flush(), true)
  }
  if (!spoke) reply({ type: 'failed', id })
  else
    reply(
      paused
        ? { type: 'paused', id, samples: made, continued: { parameters, tempo: factor } }
        : { type: 'end', id },
    )
  espeak.forget()
})
reply({ type: 'ready' })
