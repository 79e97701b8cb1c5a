import { encodeWav, measureWaveform } from '@vaani/pcm-audio'
import { createPlayer } from '@vaani/pcm-audio/player'
import workletUrl from '@vaani/pcm-audio/player-worklet.js?worker&url'
import type { StreamSpeechRequest } from '@vaani/client'
import { useEffect, useRef, useState } from 'react'
import { vaani } from '../../session/session.ts'
import { joined } from './joined.ts'

/** Of every stream of speech. */
export const SAMPLE_RATE_HZ = 16_000
/** More than a text of the greatest length lasts, so that nothing but the server decides how fast it comes. */
const MOST_BUFFERED_MS = 3_600_000
const SHOWN_EACH_MS = 100
/** Half of a frame of the screen. */
const WORK_MS = 8
/** Of 5 ms each. */
const PARTS_OF_FRAME = 4

/** What has come of the speech so far. */
export interface Spoken {
  readonly phase: 'idle' | 'asked' | 'playing' | 'ended'
  readonly lengthMs: number
  /** The smallest and the largest sample of each part, where 1 is full scale: enough to draw the sound, and soon measured. */
  readonly min: Float32Array
  readonly max: Float32Array
  /** From the request to the first sound, and to the last. */
  readonly firstMs?: number
  readonly receivedMs?: number
  /** The whole, once it has come. */
  readonly wav?: Uint8Array<ArrayBuffer>
  readonly error?: Error
}

const NOTHING: Spoken = { phase: 'idle', lengthMs: 0, min: new Float32Array(), max: new Float32Array() }

/** Speaks texts, one at a time: each is played while it comes. */
export function useSpeech() {
  const [spoken, setSpoken] = useState(NOTHING)
  const running = useRef<AbortController>(null)
  const stop = () => running.current?.abort()
  useEffect(() => stop, [])

  async function speak(request: Omit<StreamSpeechRequest, 'model'>): Promise<void> {
    stop()
    const { signal } = (running.current = new AbortController())
    const show = (state: Spoken) => running.current?.signal === signal && setSpoken(state)
    show({ ...NOTHING, phase: 'asked' })
    try {
      await play(request, signal, show)
    } catch (error) {
      if (!signal.aborted && error instanceof Error) show({ ...NOTHING, phase: 'ended', error })
    }
  }
  return { spoken, speak, stop }
}

async function play(
  request: Omit<StreamSpeechRequest, 'model'>,
  signal: AbortSignal,
  show: (state: Spoken) => void,
): Promise<void> {
  await using held = new AsyncDisposableStack()
  // Within the click, without which browsers play nothing.
  const player = await createPlayer({
    sampleRateHz: SAMPLE_RATE_HZ,
    maxBufferedMs: MOST_BUFFERED_MS,
    workletUrl: new URL(workletUrl, location.href),
  })
  held.defer(() => player.close())
  const received = createCollector()
  const timer = setInterval(() => show({ phase: 'playing', ...received.sum() }), SHOWN_EACH_MS)
  held.defer(() => clearInterval(timer))
  try {
    const stream = await vaani.speech.stream(request, { signal })
    await player.pipeFrom(received.collect(stream), { signal })
  } finally {
    clearInterval(timer)
    const samples = received.samples()
    if (samples.length > 0)
      show({ phase: 'ended', ...received.sum(), wav: encodeWav(samples, { sampleRateHz: SAMPLE_RATE_HZ }) })
  }
}

/** Keeps frames that pass, measures each once, and notes when. */
function createCollector() {
  const startMs = performance.now()
  const frames: Int16Array<ArrayBuffer>[] = []
  const [min, max]: [number[], number[]] = [[], []]
  let lengthMs = 0
  const times: { firstMs?: number; receivedMs?: number } = {}
  async function* collect(stream: AsyncIterable<Int16Array<ArrayBuffer>>) {
    let pausedMs = startMs
    for await (const frame of stream) {
      times.receivedMs = performance.now() - startMs
      times.firstMs ??= times.receivedMs
      frames.push(frame)
      lengthMs += (1000 * frame.length) / SAMPLE_RATE_HZ
      const measured = measureWaveform(frame, { columns: PARTS_OF_FRAME })
      min.push(...measured.min)
      max.push(...measured.max)
      yield frame
      // What has come already is read without a pause, in which the page would not be drawn.
      if (performance.now() - pausedMs < WORK_MS) continue
      await new Promise((resolve) => setTimeout(resolve))
      pausedMs = performance.now()
    }
  }
  return {
    collect,
    samples: () => joined(frames),
    sum: () => ({ lengthMs, min: Float32Array.from(min), max: Float32Array.from(max), ...times }),
  }
}
