import type { Review } from '@vaani/client'
import { type ReactNode, useRef, useState } from 'react'
import { JsonView } from '../../parts/json-view.tsx'
import { useKeys } from '../../parts/use-keys.ts'
import { Votes } from './case-facts.tsx'
import { Checks } from './checks.tsx'
import { Fields } from './fields.tsx'
import { Media } from './media.tsx'
import { type Artifact, PICTURES, placesOf } from './places.ts'
import { Subject } from './subject.tsx'
import { useBeside } from './use-beside.ts'
import { useView } from './use-view.ts'

/** The pictures, and beside them what can be done with the case, what was measured and what was read. */
export function Evidence(props: { review: Review; children: (artifact: Artifact) => ReactNode }) {
  const { review, children } = props
  const { verification_id: id, external_id: externalId } = review.verification
  const viewing = useView()
  const media = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const [artifact, setArtifact] = useState(() => firstPicture(review))
  const places = placesOf(review)
  function choose(what: string | undefined) {
    const found = places.filter((place) => place.what === what)
    const place = found.find((one) => one.artifact === artifact) ?? found[0]
    setChosen(place === undefined || chosen === what ? null : place.what)
    if (place === undefined || chosen === what) return viewing.reset()
    setArtifact(place.artifact)
    viewing.lookAt(place, place.corners)
    return media.current?.scrollIntoView({ block: 'nearest' })
  }
  const step = (by: number) => () => {
    const names = [...new Set(places.map(({ what }) => what))]
    const at = chosen === null ? (by > 0 ? -1 : names.length) : names.indexOf(chosen)
    choose(names[at + by])
  }
  const beside = useBeside(review)
  useKeys({ t: () => beside.toggle() })
  useKeys(isShown ? { j: step(1), k: step(-1) } : {})
  return (
    <div className="case">
      <div ref={media}>
        <Media
          review={review}
          looking={{ isShown, onToggle: () => setShown((old) => !old) }}
          artifact={artifact}
          onArtifact={setArtifact}
          places={places}
          chosen={chosen}
          viewing={viewing}
          beside={beside}
        />
      </div>
      <div className="findings">
        {children(artifact)}
        <Votes review={review} />
        <Checks review={review} beside={beside} />
        <Fields id={id} isShown={isShown} places={places} chosen={chosen} onChoose={choose} />
        {externalId && <Subject externalId={externalId} thisId={id} isShown={isShown} />}
        {isShown && <JsonView of={review} />}
      </div>
    </div>
  )
}

const firstPicture = ({ media }: Review): Artifact =>
  PICTURES.find((one) => media.some(({ artifact }) => artifact === one)) ?? 'front_image'
