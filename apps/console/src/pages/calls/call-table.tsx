import type { Call } from '@vaani/client'
import { Link } from 'wouter'
import { Time } from '../../parts/time.tsx'
import { t } from '../../text/text.ts'
import { CallStatus } from './call-status.tsx'

/** Calls, a row each. On a narrow page, a row is a card. */
export const CallTable = ({ calls }: { calls: readonly Call[] }) => (
  <table className="list">
    <thead>
      <tr>
        <th scope="col">{t.calls.to}</th>
        <th scope="col">{t.calls.status}</th>
        <th scope="col">{t.calls.agent}</th>
        <th scope="col" className="number">
          {t.calls.duration}
        </th>
        <th scope="col">{t.calls.created}</th>
      </tr>
    </thead>
    <tbody>
      {calls.map((call) => (
        <tr key={call.call_id}>
          <th scope="row">
            <Link href={`/calls/${call.call_id}`}>{call.to}</Link>
          </th>
          <td>
            <CallStatus call={call} />
          </td>
          <td>{call.agent_id}</td>
          <td className="number">
            {call.duration_seconds === undefined ? '' : `${call.duration_seconds} s`}
          </td>
          <td>{call.created_at && <Time at={call.created_at} />}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
