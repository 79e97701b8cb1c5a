import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../parts/badge.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'
import { Pane } from './pane.tsx'
import { Picture } from './picture.tsx'
import { type Artifact, NO_PLACES, PICTURES } from './places.ts'
import { reviewKey } from './reread.ts'
import { STATUS_TONES } from './subject.tsx'
import { useForgotten, useImage, useMedia } from './use-media.ts'
import type { Looking, Viewing } from './use-view.ts'

interface TwinProps {
  id: string
  /** What is looked at of the case. */
  artifact: Artifact
  looking: Looking
  viewing: Viewing
  hasLens: boolean
  onClose: () => void
}

/** What was sent before, beside the case: the same side of the document in the same view. */
export function Twin({ onClose, ...shown }: TwinProps) {
  const { id, artifact } = shown
  const pane = useRef<HTMLElement>(null)
  const read = useQuery({
    queryKey: reviewKey(id),
    queryFn: ({ signal }) => vaani.reviews.retrieve(id, { signal }),
  })
  useForgotten(id)
  // Browsers have begun to return a promise, which is no clean-up of an effect.
  useEffect(() => void pane.current?.scrollIntoView({ block: 'nearest' }), [id])
  const kept = PICTURES.filter((one) => read.data?.media.some((medium) => medium.artifact === one))
  const picture = kept.find((one) => one === artifact) ?? kept[0]
  return (
    <section ref={pane} className="pane twin" aria-label={t.reviews.beside}>
      <div className="tabs">
        <Link href={`/reviews/${id}`}>{t.reviews.beside}</Link>
        {read.data && (
          <Badge tone={STATUS_TONES[read.data.verification.decision]}>
            {t.reviews.statuses[read.data.verification.decision]}
          </Badge>
        )}
        <button type="button" aria-keyshortcuts="t" onClick={onClose}>
          {t.reviews.close} <kbd>t</kbd>
        </button>
      </div>
      {read.isPending && <Loading />}
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && picture === undefined && <p className="hint">{t.reviews.erased}</p>}
      {picture !== undefined && <TwinPicture {...shown} artifact={picture} />}
    </section>
  )
}

function TwinPicture({ id, artifact, looking, viewing, hasLens }: Omit<TwinProps, 'onClose'>) {
  const media = useMedia(id, artifact, looking.isShown)
  const image = useImage(media.data)
  return (
    <Pane looking={looking} error={media.error} onRetry={() => void media.refetch()}>
      {image && (
        <Picture
          name={`${t.reviews.beside}: ${t.reviews.artifacts[artifact]}`}
          image={image}
          places={NO_PLACES}
          chosen={null}
          view={viewing.view}
          hasLens={hasLens}
          isShown={looking.isShown}
          onDrag={viewing.drag}
          onZoom={viewing.zoomAt}
        />
      )}
    </Pane>
  )
}
