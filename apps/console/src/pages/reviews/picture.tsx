import { type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Place } from './places.ts'
import { type Point, type Size, turnedSize, turningOf, type View, viewBoxOf } from './view.ts'

const LENS_RADIUS_PX = 96
const LENS_POWER = 2.5
const WHEEL_TO_DOUBLE_PX = 300

export interface ShownImage extends Size {
  readonly url: string
}

interface Spot {
  /** In the box of the picture. */
  readonly left: number
  readonly top: number
  /** In the pixels of the turned picture. */
  readonly x: number
  readonly y: number
  readonly radius: number
}

/** A picture with what the checks found drawn on it, and a lens under the pointer. The wheel enlarges it with Ctrl, and dragging moves it. */
export function Picture(props: {
  name: string
  image: ShownImage
  places: readonly Place[]
  chosen: string | null
  view: View
  hasLens: boolean
  isShown: boolean
  onDrag: (by: Point) => void
  onZoom: (factor: number, point: Point) => void
}) {
  const { name, image, view, hasLens, isShown, onDrag } = props
  const svg = useRef<SVGSVGElement>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const pane = svg.current
    // Not by React, whose listeners can't keep the browser from enlarging the page.
    function zoom(event: WheelEvent) {
      if (!event.ctrlKey || pane === null) return
      event.preventDefault()
      const { width, height } = turnedSize(latest.current.image, latest.current.view.quarterTurns)
      const { x, y } = pointOf(pane, event)
      latest.current.onZoom(2 ** (-event.deltaY / WHEEL_TO_DOUBLE_PX), { x: x / width, y: y / height })
    }
    pane?.addEventListener('wheel', zoom, { passive: false })
    return () => pane?.removeEventListener('wheel', zoom)
  }, [])
  const [spot, setSpot] = useState<Spot | null>(null)
  function follow(event: PointerEvent) {
    if (svg.current === null) return
    const box = svg.current.getBoundingClientRect()
    const { x, y } = pointOf(svg.current, event)
    const radius = LENS_RADIUS_PX / ((svg.current.getScreenCTM()?.a ?? 1) * LENS_POWER)
    setSpot({ left: event.clientX - box.left, top: event.clientY - box.top, x, y, radius })
    if (event.buttons === 1 && view.zoom > 1)
      onDrag({ x: -event.movementX / box.width, y: -event.movementY / box.height })
  }
  return (
    <div
      className="glass"
      data-veiled={!isShown || undefined}
      data-enlarged={view.zoom > 1 || undefined}
      onPointerMove={follow}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerLeave={() => setSpot(null)}
    >
      <svg ref={svg} viewBox={viewBoxOf(image, view)} role="img" aria-label={name}>
        <Drawing {...props} />
      </svg>
      {hasLens && isShown && spot !== null && (
        <svg
          className="lens"
          viewBox={`${spot.x - spot.radius} ${spot.y - spot.radius} ${2 * spot.radius} ${2 * spot.radius}`}
          style={{ left: spot.left, top: spot.top }}
          aria-hidden="true"
        >
          <Drawing {...props} />
        </svg>
      )}
    </div>
  )
}

/** Where the pointer is, in the pixels of the turned picture. */
const pointOf = (svg: SVGSVGElement, { clientX, clientY }: { clientX: number; clientY: number }): Point =>
  new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()?.inverse())

/** The picture as it is turned, and the places on it. */
const Drawing = ({ image, places, chosen, view }: Parameters<typeof Picture>[0]) => (
  <g transform={turningOf(image, view.quarterTurns)}>
    <image
      href={image.url}
      width={image.width}
      height={image.height}
      style={{ filter: `contrast(${view.contrast})` }}
    />
    {places.map(({ what, width, height, corners }) => (
      <polygon
        key={`${what} ${corners[0]?.x} ${corners[0]?.y}`}
        className={what === chosen ? 'chosen' : undefined}
        points={corners
          .map(({ x, y }) => `${(x * image.width) / width},${(y * image.height) / height}`)
          .join(' ')}
      />
    ))}
  </g>
)
