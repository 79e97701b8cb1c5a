import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Follows what is heard of an audio element: at each frame while it plays, and whenever it is moved.
 *
 * @param onPlace gets the place in seconds. It draws without React, because a phone could not render the page with each frame.
 */
export function usePlace(audio: RefObject<HTMLAudioElement | null>, onPlace: (seconds: number) => void) {
  const follow = useEffectEvent(() => onPlace(audio.current?.currentTime ?? 0))
  useEffect(() => {
    const { current } = audio
    if (current === null) return undefined
    let frame = 0
    const next = () => {
      follow()
      frame = current.paused ? 0 : requestAnimationFrame(next)
    }
    const begin = () => {
      if (frame === 0) next()
    }
    const events = ['play', 'timeupdate', 'seeked', 'loadedmetadata'] as const
    for (const event of events) current.addEventListener(event, begin)
    return () => {
      cancelAnimationFrame(frame)
      for (const event of events) current.removeEventListener(event, begin)
    }
  }, [audio])
}
