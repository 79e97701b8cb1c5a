import type { ReactNode } from 'react'
import { inWords } from './in-words.ts'

/** Names and values of one object. Those without a value are left out, and numbers are written as the language does. */
export const Facts = ({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="facts">
    {of
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{inWords(value)}</dd>
        </div>
      ))}
  </dl>
)
