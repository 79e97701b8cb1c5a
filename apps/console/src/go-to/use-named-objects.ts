import { useQueries } from '@tanstack/react-query'
import { useSession } from '../session/session-context.ts'
import { vaani } from '../session/session.ts'
import { t } from '../text/text.ts'
import type { NamedObject } from './destinations.ts'

/** How long the names stay as they were read, unless the console itself changes them. */
const FRESH_MS = 60_000
/** Of lists that have pages, the newest. */
const NEWEST = 100

type Named = Omit<NamedObject, 'kind'>
type Options = { signal: AbortSignal }

/** What is found by name, with the scope that it takes. */
const LISTS: readonly {
  key: string
  kind: string
  scope: string
  read: (options: Options) => Promise<readonly Named[]>
}[] = [
  {
    key: 'agents',
    kind: t.agents.title,
    scope: 'calls:read',
    read: async (options) =>
      (await vaani.agents.list(options)).data.map(({ agent_id, name }) => ({
        path: `/agents/${agent_id}`,
        name,
        id: agent_id,
      })),
  },
  {
    key: 'voices',
    kind: t.voices.title,
    scope: 'voices:write',
    read: async (options) =>
      (await vaani.voices.list({ limit: NEWEST }, options)).data.map(({ voice_id, name }) => ({
        path: `/voices/${voice_id}`,
        name,
        id: voice_id,
      })),
  },
  {
    key: 'lexicons',
    kind: t.lexicons.title,
    scope: 'speech:write',
    read: async (options) =>
      (await vaani.lexicons.list(options)).data.map(({ language }) => ({
        path: `/lexicons/${language}`,
        name: language,
        id: language,
      })),
  },
  {
    key: 'models',
    kind: t.models.title,
    scope: 'models:use',
    read: async (options) =>
      (await vaani.models.list(options)).data.map(({ id }) => ({
        path: `/models/${encodeURIComponent(id)}`,
        name: id,
        id,
      })),
  },
]

/** Reads each list that the session may see once, whatever is typed. What cannot be read is not found. */
export function useNamedObjects(): readonly NamedObject[] {
  const { session } = useSession()
  return useQueries({
    queries: LISTS.filter(({ scope }) => session.scopes.includes(scope)).map(({ key, kind, read }) => ({
      queryKey: [key, 'names'],
      queryFn: async (options: Options) => (await read(options)).map((named) => ({ ...named, kind })),
      staleTime: FRESH_MS,
    })),
    combine: (lists) => lists.flatMap(({ data = [] }) => data),
  })
}
