import type { Review } from '@vaani/client'
import { useState } from 'react'
import { useKeys } from '../../parts/use-keys.ts'
import { t } from '../../text/text.ts'
import { Pane } from './pane.tsx'
import { Picture } from './picture.tsx'
import { type Artifact, NO_PLACES, PICTURES, type Place } from './places.ts'
import { Twin } from './twin.tsx'
import type { Beside } from './use-beside.ts'
import { useForgotten, useFrames, useImage, useMedia, useObjectUrl } from './use-media.ts'
import type { Looking, Viewing } from './use-view.ts'
import { Toolbar } from './toolbar.tsx'

interface MediaProps {
  review: Review
  looking: Looking
  artifact: Artifact
  onArtifact: (artifact: Artifact) => void
  places: readonly Place[]
  chosen: string | null
  viewing: Viewing
  beside: Beside
}

/** The document beside the video. Nothing is loaded before somebody wants to look, because each look is recorded; what they hide again stays loaded. */
export function Media(props: MediaProps) {
  const { review, viewing, beside } = props
  const [hasLens, setLens] = useState(false)
  useForgotten(review.verification.verification_id)
  const kept = new Set(review.media.map(({ artifact }) => artifact))
  if (kept.size === 0) return <p className="hint">{t.reviews.erased}</p>
  return (
    <section className="media" aria-label={t.reviews.pictures}>
      <Toolbar
        looking={props.looking}
        viewing={viewing}
        hasLens={hasLens}
        onLens={() => setLens((old) => !old)}
      />
      <div className="panes" data-lens={hasLens || undefined}>
        <Document {...props} kept={PICTURES.filter((one) => kept.has(one))} hasLens={hasLens} />
        {beside.id !== undefined && (
          <Twin {...props} id={beside.id} hasLens={hasLens} onClose={() => beside.toggle()} />
        )}
        {kept.has('liveness_video') && <Video {...props} hasLens={hasLens} />}
      </div>
      {viewing.view.zoom > 1 && <p className="hint">{t.reviews.moveHint}</p>}
    </section>
  )
}

type PaneProps = MediaProps & { hasLens: boolean }

function Document(props: PaneProps & { kept: readonly Artifact[] }) {
  const { review, looking, artifact, onArtifact, places, chosen, viewing, kept, hasLens } = props
  const media = useMedia(review.verification.verification_id, artifact, looking.isShown)
  const image = useImage(media.data)
  const choose = (index: number) => () => {
    const picture = kept[index]
    if (picture !== undefined) onArtifact(picture)
  }
  useKeys({ '1': choose(0), '2': choose(1), '3': choose(2) })
  return (
    <div className="pane">
      <div className="tabs" role="group" aria-label={t.reviews.document}>
        {kept.map((one, index) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === artifact}
            aria-keyshortcuts={String(index + 1)}
            onClick={() => onArtifact(one)}
          >
            {t.reviews.artifacts[one]} <kbd>{index + 1}</kbd>
          </button>
        ))}
      </div>
      <Pane looking={looking} error={media.error} onRetry={() => void media.refetch()}>
        {image && (
          <Picture
            name={t.reviews.artifacts[artifact]}
            image={image}
            places={places.filter((place) => place.artifact === artifact)}
            chosen={chosen}
            view={viewing.view}
            hasLens={hasLens}
            isShown={looking.isShown}
            onDrag={viewing.drag}
            onZoom={viewing.zoomAt}
          />
        )}
      </Pane>
    </div>
  )
}

/** Frames of the video as a strip, of which one is shown; or the video itself. */
function Video({ review, looking, viewing, hasLens }: PaneProps) {
  const id = review.verification.verification_id
  const [isPlayed, setPlayed] = useState(false)
  const [index, setIndex] = useState(0)
  const frames = useFrames(id, looking.isShown)
  const count = frames.data?.length ?? 0
  const step = (by: number) => () =>
    setIndex((old) => Math.min(Math.max(0, old + by), Math.max(0, count - 1)))
  const play = () => setPlayed((old) => !old)
  useKeys({ ',': step(-1), '.': step(1), v: play })
  const frame = frames.data?.[index]
  return (
    <div className="pane">
      <div className="tabs" role="group" aria-label={t.reviews.artifacts.liveness_video}>
        <button type="button" aria-pressed={!isPlayed} onClick={() => setPlayed(false)}>
          {t.reviews.frames}
          {frame !== undefined && ` · ${frame.name}`} <kbd>,</kbd>
          <kbd>.</kbd>
        </button>
        <button type="button" aria-pressed={isPlayed} aria-keyshortcuts="v" onClick={play}>
          {t.reviews.artifacts.liveness_video} <kbd>v</kbd>
        </button>
      </div>
      {isPlayed ? (
        <Played id={id} looking={looking} />
      ) : (
        <Pane looking={looking} error={frames.error} onRetry={() => void frames.refetch()}>
          {frame && (
            <Picture
              name={`${t.reviews.frames} ${frame.name}`}
              image={frame}
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
      )}
      {looking.isShown && !isPlayed && count > 0 && (
        <div className="strip" role="group" aria-label={t.reviews.frames}>
          {frames.data?.map(({ url, name }, at) => (
            <button key={name} type="button" aria-pressed={at === index} onClick={() => setIndex(at)}>
              <img src={url} alt={name} />
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function Played({ id, looking }: { id: string; looking: Looking }) {
  const media = useMedia(id, 'liveness_video', looking.isShown)
  const url = useObjectUrl(media.data)
  return (
    <Pane looking={looking} error={media.error} onRetry={() => void media.refetch()}>
      {url && looking.isShown && (
        <div className="glass">
          <video src={url} controls muted aria-label={t.reviews.artifacts.liveness_video} />
        </div>
      )}
    </Pane>
  )
}
