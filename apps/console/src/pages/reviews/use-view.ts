import { useMemo, useState } from 'react'
import {
  lookAt,
  moveBy,
  PLAIN,
  sharpen,
  type Point,
  type Size,
  turn,
  type View,
  zoomAt,
  zoomBy,
} from './view.ts'

const ZOOM_STEP = 1.25
/** Share of what is seen by which an arrow key moves it. */
const MOVE_STEP = 0.25

/** The view that all pictures of a case share, and what keys, buttons and the pointer do with it. */
export function useView() {
  const [view, setView] = useState(PLAIN)
  const acts = useMemo(() => {
    const doing = (act: (old: View) => View) => () => setView(act)
    const moving = (x: number, y: number) =>
      doing((old) => moveBy(old, { x: x * MOVE_STEP, y: y * MOVE_STEP }))
    return {
      enlarge: doing((old) => zoomBy(old, ZOOM_STEP)),
      reduce: doing((old) => zoomBy(old, 1 / ZOOM_STEP)),
      turn: doing(turn),
      sharpen: doing(sharpen),
      reset: () => setView(PLAIN),
      left: moving(-1, 0),
      right: moving(1, 0),
      up: moving(0, -1),
      down: moving(0, 1),
      drag: (by: Point) => setView((old) => moveBy(old, by)),
      zoomAt: (factor: number, point: Point) => setView((old) => zoomAt(old, factor, point)),
      lookAt: (size: Size, corners: readonly Point[]) => setView((old) => lookAt(old, size, corners)),
    }
  }, [])
  return { view, ...acts }
}

export type Viewing = ReturnType<typeof useView>

/** Whether the person of the case may be seen, and how that changes. */
export interface Looking {
  readonly isShown: boolean
  readonly onToggle: () => void
}
