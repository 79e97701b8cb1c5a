import type { RealtimeOptions } from '@vaani/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Emotion } from './speech-choices.tsx'
import { type Heard, openTalk, type Talk } from './talk.ts'

/** What was sent, in order. */
export type Sent = { text: string } | { emotion: Emotion } | { isInterruption: true }

export interface Live extends Heard {
  readonly phase: 'closed' | 'opening' | 'open'
  readonly sent: readonly Sent[]
  readonly error?: Error
}

const CLOSED: Live = { phase: 'closed', sent: [] }

/** Speaks what is typed, over one WebSocket at a time. */
export function useLive() {
  const [live, setLive] = useState(CLOSED)
  const talk = useRef<Talk>(null)
  const running = useRef<AbortController>(null)
  const queries = useQueryClient()
  useEffect(() => () => running.current?.abort(), [])

  async function begin(options: RealtimeOptions): Promise<void> {
    const { signal } = (running.current = new AbortController())
    const show = (part: Partial<Live>) => {
      if (!signal.aborted) setLive((before) => ({ ...before, ...part }))
    }
    setLive({ ...CLOSED, phase: 'opening' })
    try {
      await using opened = await openTalk({ ...options, signal }, show)
      talk.current = opened
      show({ phase: 'open' })
      await opened.run()
    } catch (error) {
      if (error instanceof Error) show({ error })
      // A WebSocket does not say why it was refused. If the session has ended, other requests do.
      if (!signal.aborted) void queries.invalidateQueries()
    } finally {
      talk.current = null
      show({ phase: 'closed', phrase: undefined })
    }
  }
  const note = (one: Sent) => setLive((before) => ({ ...before, sent: [...before.sent, one] }))

  return {
    live,
    begin,
    speak(text: string) {
      talk.current?.speak(text)
      note({ text })
    },
    flush: () => talk.current?.flush(),
    setEmotion(emotion: Emotion) {
      talk.current?.setEmotion(emotion)
      note({ emotion })
    },
    interrupt() {
      talk.current?.interrupt()
      note({ isInterruption: true })
    },
    end: () => talk.current?.close(),
  }
}
