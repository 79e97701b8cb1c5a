import { language } from '../text/text.ts'

const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })

/** A time where the person is; pointing at it shows UTC. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={`${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`}>
    {format.format(new Date(at))}
  </time>
)
