/** Runs in the page, listens to the microphone and resamples in a worklet. */
import { deinterleave } from '../../src/convert/interleave.ts'
import { type MicrophoneOptions, openMicrophone } from '../../src/microphone/microphone.ts'
import type { WorkletResult } from './resampler-worklet.ts'

/** Without processing, which takes tones for noise. */
const constraints = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }

/** Returns the frequency of a tone by its zero crossings. */
function toneOf(samples: Int16Array, rateHz: number): number {
  const crossings: number[] = []
  for (let index = 1; index < samples.length; index++)
    if ((samples[index - 1] ?? 0) < 0 && (samples[index] ?? 0) >= 0) crossings.push(index)
  return ((crossings.length - 1) * rateHz) / ((crossings.at(-1) ?? 0) - (crossings[0] ?? 0))
}

/** Listens for a second, then closes. */
export async function listen(options: MicrophoneOptions) {
  const microphone = await openMicrophone({ constraints, ...options })
  const frames: Int16Array[] = []
  const wanted = 1000 / (options.frameMs ?? 20)
  for await (const frame of microphone) {
    frames.push(frame)
    if (frames.length === wanted) await microphone.close()
  }
  const { channels = 1, sampleRateHz } = options
  const all = Int16Array.from(frames.flatMap((frame) => [...frame]))
  // The device may begin with silence.
  const sound = all.subarray(channels * Math.round(sampleRateHz / 4))
  return {
    lengths: [...new Set(frames.map((frame) => frame.length))],
    tonesHz: deinterleave(sound.subarray(0, sound.length - (sound.length % channels)), channels).map(
      (channel) => toneOf(channel, sampleRateHz),
    ),
    peak: sound.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
    droppedMs: microphone.droppedMs,
  }
}

/** Reads nothing for a while. */
export async function neglect() {
  const microphone = await openMicrophone({ sampleRateHz: 16_000, constraints, maxBufferedMs: 100 })
  while (microphone.droppedMs < 200) await new Promise((resolve) => setTimeout(resolve, 10))
  await microphone.close()
  const frames = await Array.fromAsync(microphone)
  return { keptMs: frames.length * 20, droppedMs: microphone.droppedMs }
}

/** Ends the track, as a device that is unplugged does, and returns what the reader and the browser see. */
export async function unplug() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: constraints })
  const [track] = stream.getAudioTracks()
  const microphone = await openMicrophone({ sampleRateHz: 16_000, stream })
  let frames = 0
  for await (const _ of microphone)
    if (++frames === 5) {
      track?.stop()
      // `stop` sends no event; a lost device does.
      track?.dispatchEvent(new Event('ended'))
    }
  return { frames }
}

/** Resamples a second of a tone in an AudioWorklet, where `atob` and `TextDecoder` are missing. */
export async function resampleInWorklet(): Promise<WorkletResult> {
  const context = new OfflineAudioContext(1, 128, 48_000)
  await context.audioWorklet.addModule('/resampler-worklet.js')
  const node = new AudioWorkletNode(context, 'resampler-test', { numberOfInputs: 0 })
  const result = new Promise<WorkletResult>((resolve) => {
    node.port.addEventListener('message', ({ data }: MessageEvent<WorkletResult>) => resolve(data))
    node.port.start()
  })
  node.connect(context.destination)
  await context.startRendering()
  return result
}

Object.assign(globalThis, { harness: { listen, neglect, unplug, resampleInWorklet } })
