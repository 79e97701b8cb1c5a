import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { vaani } from '../../session/session.ts'

/** As many as an account can have, unless it has revoked some since. */
const KEYS = 100

/** The name of a key, which leads to it; its id until the name is known, or if it is too old. */
export function KeyName({ id }: { id: string }) {
  const keys = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async ({ signal }) => (await vaani.admin.listKeys({ limit: KEYS }, { signal })).data,
  })
  const name = keys.data?.find(({ key_id }) => key_id === id)?.name
  return <Link href={`/keys/${id}`}>{name ?? <code>{id}</code>}</Link>
}
