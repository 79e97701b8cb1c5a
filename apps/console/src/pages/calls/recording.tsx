import { ApiError, type Call } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Loading } from '../../parts/loading.tsx'
import { Player } from '../../parts/player.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Words } from './words.tsx'

/** The recording of a call that has ended, if it was answered, with its words in step. */
export function Recording({ call }: { call: Call }) {
  const isAnswered = call.duration_seconds !== undefined
  const recording = useQuery({
    queryKey: ['recording', call.call_id],
    queryFn: async ({ signal }) => {
      const file = await vaani.calls.recording(call.call_id, { signal })
      return file.bytes()
    },
    enabled: isAnswered,
    staleTime: Infinity,
  })
  const transcript = useQuery({
    queryKey: ['transcript', call.call_id],
    // A recording of an earlier version has none.
    queryFn: ({ signal }) => vaani.calls.transcript(call.call_id, { signal }).catch(noneIfNotFound),
    enabled: isAnswered,
    staleTime: Infinity,
  })
  const audio = useRef<HTMLAudioElement>(null)
  if (!isAnswered) return <p className="hint">{t.calls.noRecording}</p>
  if (recording.isPending) return <Loading />
  if (isNotFound(recording.error)) return <p className="hint">{t.calls.noRecording}</p>
  if (recording.error) return <Problem error={recording.error} onRetry={() => void recording.refetch()} />
  return (
    <>
      <Player wav={recording.data} name={t.calls.recording} audio={audio} />
      {transcript.error && <Problem error={transcript.error} onRetry={() => void transcript.refetch()} />}
      {transcript.data?.turns.map((turn) => (
        <Words key={turn.start_ms} turn={turn} audio={audio} />
      ))}
    </>
  )
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

function noneIfNotFound(error: unknown): null {
  if (isNotFound(error)) return null
  throw error
}
