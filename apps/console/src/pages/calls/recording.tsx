import { ApiError, type Call } from '@vaani/client'
import { useQuery } from '@tanstack/react-query'
import { Loading } from '../../parts/loading.tsx'
import { Player } from '../../parts/player.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** The recording of a call that has ended, if it was answered. */
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
  if (!isAnswered) return <p className="hint">{t.calls.noRecording}</p>
  if (recording.isPending) return <Loading />
  if (recording.error instanceof ApiError && recording.error.status === 404)
    return <p className="hint">{t.calls.noRecording}</p>
  if (recording.error) return <Problem error={recording.error} onRetry={() => void recording.refetch()} />
  return <Player wav={recording.data} name={t.calls.recording} />
}
