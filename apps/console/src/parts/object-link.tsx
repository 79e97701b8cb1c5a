import { Link } from 'wouter'
import { placeIn } from '../go-to/places.ts'
import { CopiedId } from './copied-id.tsx'

/** The id of an object, which leads to its page if it has one. */
export function ObjectLink({ id }: { id: string }) {
  const place = placeIn(id)
  if (place === null) return <CopiedId id={id} />
  return (
    <Link href={place.path}>
      <code>{id}</code>
    </Link>
  )
}
