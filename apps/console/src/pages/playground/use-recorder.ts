import { createLevelMeter, encodeWav } from '@vaani/pcm-audio'
import { type Microphone, openMicrophone } from '@vaani/pcm-audio/microphone'
import workletUrl from '@vaani/pcm-audio/microphone-worklet.js?worker&url'
import { useEffect, useRef, useState } from 'react'
import { joined } from './joined.ts'
import { SAMPLE_RATE_HZ } from './use-speech.ts'

/** Of a recording that a voice can be made of. */
export const LONGEST_SECONDS = 60
const FRAME_MS = 20
const FRAMES_SHOWN = 5
/** Voices are measured, so nothing may change their sound. */
const CONSTRAINTS = { echoCancellation: false, noiseSuppression: false, autoGainControl: false } as const

export interface Recording {
  readonly phase: 'none' | 'asked' | 'recording' | 'recorded'
  readonly seconds: number
  readonly levelDbfs: number
  readonly wav?: Uint8Array<ArrayBuffer>
  readonly error?: Error
}

const NONE: Recording = { phase: 'none', seconds: 0, levelDbfs: -Infinity }

/** Records what is said into the microphone, until it is stopped or long enough. */
export function useRecorder() {
  const [recording, setRecording] = useState(NONE)
  const microphone = useRef<Microphone>(null)
  const isGone = useRef(false)
  const stop = () => void microphone.current?.close()
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      stop()
    }
  }, [])

  async function start(): Promise<void> {
    setRecording({ ...NONE, phase: 'asked' })
    try {
      const opened = await openMicrophone({
        sampleRateHz: SAMPLE_RATE_HZ,
        frameMs: FRAME_MS,
        constraints: CONSTRAINTS,
        workletUrl: new URL(workletUrl, location.href),
      })
      microphone.current = opened
      // While the browser asked, the person may have gone on to another page.
      if (isGone.current) return stop()
      const samples = await record(opened, (state) => setRecording({ ...NONE, phase: 'recording', ...state }))
      const seconds = samples.length / SAMPLE_RATE_HZ
      setRecording({
        ...NONE,
        phase: 'recorded',
        seconds,
        wav: encodeWav(samples, { sampleRateHz: SAMPLE_RATE_HZ }),
      })
    } catch (error) {
      if (error instanceof Error) setRecording({ ...NONE, error })
    }
  }
  return { recording, start, stop }
}

async function record(
  microphone: Microphone,
  show: (state: Pick<Recording, 'seconds' | 'levelDbfs'>) => void,
): Promise<Int16Array<ArrayBuffer>> {
  const frames: Int16Array<ArrayBuffer>[] = []
  const meter = createLevelMeter()
  for await (const frame of microphone) {
    frames.push(frame)
    meter.push(frame)
    const seconds = (frames.length * FRAME_MS) / 1000
    if (frames.length % FRAMES_SHOWN === 0) show({ seconds, levelDbfs: meter.flush().rmsDbfs })
    // What is still in the queue would make it too long.
    if (seconds >= LONGEST_SECONDS) break
  }
  await microphone.close()
  return joined(frames)
}
