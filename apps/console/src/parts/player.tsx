import { decodeWav, measureWaveform, waveformPath } from '@vaani/pcm-audio'
import { useEffect, useMemo, useRef, useState } from 'react'

const COLUMNS = 600
const HEIGHT = 72

/** Plays a WAV file, with its waveform above. A click on the waveform goes there; the keys of the player do the same. */
export function Player({ wav, name }: { wav: Uint8Array<ArrayBuffer>; name: string }) {
  const audio = useRef<HTMLAudioElement>(null)
  const [url, setUrl] = useState<string>()
  const [share, setShare] = useState(0)
  const path = useMemo(() => {
    const { samples } = decodeWav(wav)
    return waveformPath(measureWaveform(samples, { columns: COLUMNS }), { height: HEIGHT })
  }, [wav])
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([wav], { type: 'audio/wav' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [wav])
  const follow = () => {
    const { currentTime = 0, duration = Number.NaN } = audio.current ?? {}
    setShare(Number.isFinite(duration) ? currentTime / duration : 0)
  }
  return (
    <figure className="player">
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
        <line x1={share * COLUMNS} x2={share * COLUMNS} y1={0} y2={HEIGHT} />
      </svg>
      <audio ref={audio} controls preload="metadata" src={url} aria-label={name} onTimeUpdate={follow} />
    </figure>
  )
}
