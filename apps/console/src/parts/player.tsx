import { decodeWav, measureWaveform, waveformPath } from '@vaani/pcm-audio'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { usePlace } from './use-place.ts'

const COLUMNS = 600
const HEIGHT = 72

/**
 * Plays a WAV file, with its waveform above, on which a line follows what is heard, at each frame. A click on the waveform goes there; the
 * keys of the player do the same.
 *
 * @param audio is given the element, if others follow it too
 */
export function Player({
  wav,
  name,
  audio: shared,
}: {
  wav: Uint8Array<ArrayBuffer>
  name: string
  audio?: RefObject<HTMLAudioElement | null>
}) {
  const own = useRef<HTMLAudioElement>(null)
  const audio = shared ?? own
  const [url, setUrl] = useState<string>()
  const line = useRef<HTMLDivElement>(null)
  const path = useMemo(() => {
    const { samples } = decodeWav(wav)
    return waveformPath(measureWaveform(samples, { columns: COLUMNS }), { height: HEIGHT })
  }, [wav])
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([wav], { type: 'audio/wav' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [wav])
  usePlace(audio, (seconds) => {
    const { duration = Number.NaN } = audio.current ?? {}
    const share = Number.isFinite(duration) ? seconds / duration : 0
    // A layer of its own, because a phone could not draw the waveform anew with each frame.
    if (line.current) line.current.style.transform = `translateX(${100 * share}%)`
  })
  return (
    <figure className="player">
      <div className="waveform">
        <svg
          viewBox={`0 0 ${COLUMNS} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onClick={({ currentTarget, clientX }) => {
            const { left, width } = currentTarget.getBoundingClientRect()
            if (audio.current) audio.current.currentTime = ((clientX - left) / width) * audio.current.duration
          }}
        >
          <path d={path} />
        </svg>
        <div ref={line} className="playhead" />
      </div>
      <audio ref={audio} controls preload="metadata" src={url} aria-label={name} />
    </figure>
  )
}
