import { t } from '../text/text.ts'

/** A time where the person is; pointing at it shows UTC. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={`${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`}>
    {t.formats.time(new Date(at))}
  </time>
)
