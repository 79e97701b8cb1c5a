import type { ReactNode } from 'react'
import { Time } from './time.tsx'

/** Something that happened to an object. */
export interface Happening {
  id: string
  at: string
  what: ReactNode
  detail?: ReactNode
}

/** What happened to an object, the last first. */
export const Timeline = ({ of }: { of: readonly Happening[] }) => (
  <ol className="timeline">
    {of
      .toSorted((one, other) => other.at.localeCompare(one.at))
      .map(({ id, at, what, detail }) => (
        <li key={id}>
          <Time at={at} />
          <span>{what}</span>
          {detail && <span className="hint">{detail}</span>}
        </li>
      ))}
  </ol>
)
