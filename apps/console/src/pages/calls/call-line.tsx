import type { Call } from '@vaani/client'
import { Facts } from '../../parts/facts.tsx'
import { t } from '../../text/text.ts'
import { causeInWords, satisfactionOf, statusInWords } from './line-codes.ts'

/** What the line reported of a call that has ended: why it was refused, or how good it was. Nothing if it reported nothing. */
export function CallLine({ of: { sip_status, q850_cause, quality } }: { of: Call }) {
  if ((sip_status ?? q850_cause ?? quality) === undefined) return null
  const { fixed, share, span } = t.formats
  const inMs = (ms: number) => span(ms, 'millisecond')
  const withMeaning = (mos: number) => `${fixed(mos, 2)}: ${t.calls.line.satisfaction[satisfactionOf(mos)]}`
  return (
    <>
      <h2>{t.calls.line.title}</h2>
      <Facts
        of={[
          [t.calls.line.status, written(sip_status, statusInWords)],
          [t.calls.line.cause, written(q850_cause, causeInWords)],
          [t.calls.line.mos, written(quality?.mos, withMeaning)],
          [t.calls.line.received, quality?.packets_received],
          [t.calls.line.lost, written(quality?.lost_fraction, share)],
          [t.calls.line.jitter, written(quality?.jitter_ms, inMs)],
          [t.calls.line.roundTrip, written(quality?.round_trip_ms, inMs)],
          [t.calls.line.sent, quality?.packets_sent],
          [t.calls.line.remoteLost, written(quality?.remote_lost_fraction, share)],
          [t.calls.line.remoteJitter, written(quality?.remote_jitter_ms, inMs)],
        ]}
      />
    </>
  )
}

const written = (value: number | undefined, write: (value: number) => string): string | undefined =>
  value === undefined ? undefined : write(value)
