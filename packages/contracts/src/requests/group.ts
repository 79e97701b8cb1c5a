import type { GroupDeclaration } from '../shared/group.ts'

export const requestsGroup = {
  name: 'requests',
  description: 'Requests of an account that were refused.',
  ids: { refusal: 'rfs_' },
  limits: {
    /** How long a refused request is kept. */
    refusalDays: 7,
    /** Refused requests that a server process keeps of an account in a minute, per mode. */
    refusalsPerMinute: 30,
    /** The summary reads so many, the newest, so that it costs the same however many there are. */
    refusalsCounted: 5000,
  },
} as const satisfies GroupDeclaration
