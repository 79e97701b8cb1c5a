import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { usePollMs } from '../../live/live.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { CallStatus, hasEnded } from '../calls/call-status.tsx'
import { Recording } from '../calls/recording.tsx'
import { startRing } from './ring.ts'

const POLL_MS = 1000
const CALL = {
  to: '+9779812345678',
  agent_id: 'reminder',
  language: t.playground.sampleLanguage,
  metadata: { name: 'Sita' },
}

/** A phone of the simulator, which an agent calls: it rings here, and what was said is heard once the call has ended. */
export function Phone() {
  const ring = useRef<Disposable>(null)
  const stop = () => {
    ring.current?.[Symbol.dispose]()
    ring.current = null
  }
  const place = useMutation({ mutationFn: () => vaani.calls.place(CALL), onError: stop })
  const id = place.data?.call_id ?? ''
  const queryKey = ['call', id]
  const pollMs = usePollMs(queryKey, POLL_MS)
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => vaani.calls.retrieve(id, { signal }),
    enabled: id !== '',
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : pollMs),
  })
  const call = read.data ?? place.data
  const isRinging = place.isPending || call?.status === 'queued'
  useEffect(() => {
    if (!isRinging) stop()
  }, [isRinging])
  useEffect(() => stop, [])
  function begin() {
    stop()
    ring.current = startRing()
    place.mutate()
  }
  return (
    <section className="phone" aria-labelledby="phone">
      <h2 id="phone">{t.firstRun.phone}</h2>
      <p className="hint">{t.firstRun.phoneHint}</p>
      <div className="line">
        <span className="handset" data-ringing={isRinging || undefined} aria-hidden="true">
          ☎
        </span>
        <span>{CALL.to}</span>
        <span role="status">{call !== undefined && <CallStatus call={call} />}</span>
        {call === undefined && (
          <button type="button" className="primary" disabled={place.isPending} onClick={begin}>
            {t.firstRun.ring}
          </button>
        )}
      </div>
      {place.error && <Problem error={place.error} />}
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {call && hasEnded(call) && (
        <>
          <Recording call={call} />
          <p>
            <Link href={`/calls/${call.call_id}`}>{t.firstRun.seeCall}</Link>
          </p>
        </>
      )}
    </section>
  )
}
