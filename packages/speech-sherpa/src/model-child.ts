/**
 * A process with one model, which speaks one segment at a time. sherpa-onnx ends its process on some faults of a model, and
 * on others never answers, so it must not run in the process of a server.
 */
import { float32ToInt16 } from '@vaani/pcm-audio'
import { loadSherpa } from './load-sherpa.ts'
import type { ChildSettings, Reply, Request } from './messages.ts'

// Ignore signals that a terminal or systemd sends to every process of a service. The parent ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
// At once, because native code may be busy and would end only after its sentence.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

const { files, threads, sherpa }: ChildSettings = JSON.parse(process.argv[2] ?? '')
const { OfflineTts } = loadSherpa(sherpa)
const model = { ...files, numThreads: threads, provider: 'cpu', debug: false }
const speech = await OfflineTts.createAsync({ model, maxNumSentences: 1 })
const send = (reply: Reply): void => void process.send?.(reply)
let canceled = 0

process.on('message', async (request: Request) => {
  if (request.type === 'cancel') {
    canceled = request.id
    return
  }
  const { id, text, speaker, speed } = request
  let sent = 0
  const sendFrom = (samples: Float32Array) => {
    if (samples.length === 0) return
    sent += samples.length
    send({ type: 'chunk', id, samples: float32ToInt16(samples) })
  }
  try {
    const { samples } = await speech.generateAsync({
      text,
      sid: speaker,
      speed,
      onProgress(progress) {
        if (canceled === id) return 0
        sendFrom(progress.samples)
        return 1
      },
    })
    // Families that report no progress give everything at the end.
    if (canceled !== id) sendFrom(samples.subarray(sent))
    send({ type: 'end', id })
  } catch {
    // Its message may quote the text.
    send({ type: 'refused', id })
  }
})
send({ type: 'ready', sampleRateHz: speech.sampleRate, speakers: speech.numSpeakers })
