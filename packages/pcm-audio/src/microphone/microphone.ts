import { float32ToInt16 } from '../convert/int16-float32.ts'
import { createFramer, frameSamples } from '../frame/framer.ts'
import { createFloatResampler } from '../resample/resample.ts'
import { type MonoPart, perChannel } from '../stream/per-channel.ts'
import { loadWorklet } from '../worklet/load-worklet.ts'
import { createFrameQueue } from './frame-queue.ts'
import { MICROPHONE_PROCESSOR_NAME, registerMicrophone } from './worklet.ts'

export interface MicrophoneOptions {
  /** Sample rate of the frames. The device may have any other. */
  sampleRateHz: number
  /** 1 by default. Frames of two channels are interleaved. */
  channels?: 1 | 2
  /** Length of a frame; 20 by default. */
  frameMs?: number
  /** Device and its processing. By default the browser's microphone with echo cancellation, noise suppression and gain control. */
  constraints?: MediaTrackConstraints
  /** Stream to listen to instead of a device, which `close` leaves open. */
  stream?: MediaStream
  /** Context to listen in. Default: a new context, which `close` closes. */
  context?: AudioContext
  /** While frames are not read, this much audio is kept; older frames are dropped. Default: 2000. */
  maxBufferedMs?: number
  /**
   * URL of `@vaani/pcm-audio/microphone-worklet.js`, for pages whose content security policy has no `blob:` in its
   * `script-src`. Default: a blob.
   */
  workletUrl?: string | URL
}

/** Frames from a microphone, for one reader. They end with `close` or with the device. */
export interface Microphone extends AsyncIterable<Int16Array<ArrayBuffer>> {
  /** The source, to connect to a meter. */
  readonly node: AudioNode
  /** Duration of the frames that were dropped because they were not read in time. */
  readonly droppedMs: number
  /** Turns the device off. Frames that have arrived can still be read. */
  close(): Promise<void>
}

/** Audio that the worklet sends at a time; less would cost the page more messages. */
const BLOCK_MS = 10
const DEFAULT_CONSTRAINTS = { echoCancellation: true, noiseSuppression: true, autoGainControl: true } as const

/**
 * Opens a microphone in a browser. Browsers ask the user, and allow it only on secure pages.
 *
 * @throws RangeError if a frame is not a whole number of samples, or an option is out of range
 * @throws the browser's error if there is no microphone, the user refuses, or the worklet cannot be loaded
 * @example
 * const microphone = await openMicrophone({ sampleRateHz: 16_000 })
 * for await (const frame of microphone) socket.send(pcm16Bytes(frame))
 */
export async function openMicrophone(options: MicrophoneOptions): Promise<Microphone> {
  const { sampleRateHz, channels = 1, frameMs = 20, maxBufferedMs = 2000 } = options
  const samplesPerFrame = channels * frameSamples({ sampleRateHz, durationMs: frameMs })
  if (!(maxBufferedMs >= frameMs)) throw new RangeError('maxBufferedMs must be at least frameMs')
  const stream =
    options.stream ??
    (await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: channels, ...DEFAULT_CONSTRAINTS, ...options.constraints },
    }))
  // At the rate of the device, because Firefox does not connect a microphone to a context with another one.
  const context = options.context ?? new AudioContext()
  const queue = createFrameQueue({ capacity: Math.floor(maxBufferedMs / frameMs) })
  let node: AudioWorkletNode | undefined
  let source: MediaStreamAudioSourceNode | undefined

  async function close(): Promise<void> {
    queue.end()
    source?.disconnect()
    node?.port.close()
    if (options.stream === undefined) for (const track of stream.getTracks()) track.stop()
    if (options.context === undefined && context.state !== 'closed') await context.close()
  }

  try {
    const { sampleRate: contextRateHz } = context
    await loadWorklet(context, {
      name: MICROPHONE_PROCESSOR_NAME,
      register: registerMicrophone,
      url: options.workletUrl,
    })
    node = new AudioWorkletNode(context, MICROPHONE_PROCESSOR_NAME, {
      numberOfOutputs: 0,
      // The browser mixes other numbers of channels to this one.
      channelCount: channels,
      channelCountMode: 'explicit',
      processorOptions: { blockFrames: Math.round((BLOCK_MS * contextRateHz) / 1000), channels },
    })
    const resampler: MonoPart<Float32Array> = perChannel(channels, () =>
      createFloatResampler({ fromHz: contextRateHz, toHz: sampleRateHz }),
    )
    const framer = createFramer({ samplesPerFrame })
    node.port.addEventListener('message', ({ data }: MessageEvent<Float32Array>) => {
      for (const frame of framer.push(float32ToInt16(resampler.push(data)))) queue.push(frame)
    })
    node.port.start()
    source = context.createMediaStreamSource(stream)
    source.connect(node)
    for (const track of stream.getAudioTracks()) track.addEventListener('ended', () => void close())
    // Without a gesture of the user a context may be suspended until one.
    context.resume().catch(() => undefined)
  } catch (error) {
    await close()
    throw error
  }
  return {
    node: source,
    get droppedMs() {
      return queue.dropped * frameMs
    },
    close,
    [Symbol.asyncIterator]: () => queue.read(),
  }
}
