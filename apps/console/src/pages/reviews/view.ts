/** How the pictures of a case are looked at, all in the same way. */
export interface View {
  readonly zoom: number
  /** The middle of what is seen, as a share of the width and of the height of the turned picture. */
  readonly x: number
  readonly y: number
  readonly quarterTurns: number
  readonly contrast: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const PLAIN: View = { zoom: 1, x: 0.5, y: 0.5, quarterTurns: 0, contrast: 1 }
const MOST_ZOOM = 8
const STRONG_CONTRAST = 1.8
/** How much of the picture a place fills that somebody looks at, and how far that may enlarge it. */
const FILLED = 0.5
const MOST_ZOOM_AT_PLACE = 4

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Keeps what is seen inside the picture. */
function settle(view: View): View {
  const zoom = within(view.zoom, 1, MOST_ZOOM)
  const margin = 1 / (2 * zoom)
  return { ...view, zoom, x: within(view.x, margin, 1 - margin), y: within(view.y, margin, 1 - margin) }
}

export const zoomBy = (view: View, factor: number): View => settle({ ...view, zoom: view.zoom * factor })

/** Enlarges about a point, given as shares of the turned picture, which stays where it is seen. */
export function zoomAt(view: View, factor: number, { x, y }: Point): View {
  const { zoom } = zoomBy(view, factor)
  const shrunk = view.zoom / zoom
  return settle({ ...view, zoom, x: x - (x - view.x) * shrunk, y: y - (y - view.y) * shrunk })
}

/** Moves what is seen by shares of its own width and height. */
export const moveBy = (view: View, { x, y }: Point): View =>
  settle({ ...view, x: view.x + x / view.zoom, y: view.y + y / view.zoom })

/** Turns the picture clockwise; the middle of what is seen stays. */
export const turn = (view: View): View =>
  settle({ ...view, ...turnRight(view), quarterTurns: (view.quarterTurns + 1) % 4 })

export const sharpen = (view: View): View => ({
  ...view,
  contrast: view.contrast === 1 ? STRONG_CONTRAST : 1,
})

/** Looks at a place of a picture, given in its pixels. */
export function lookAt(view: View, { width, height }: Size, corners: readonly Point[]): View {
  const xs = corners.map(({ x }) => x / width)
  const ys = corners.map(({ y }) => y / height)
  const extent = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys))
  const middle = { x: (Math.max(...xs) + Math.min(...xs)) / 2, y: (Math.max(...ys) + Math.min(...ys)) / 2 }
  const turned = Array.from({ length: view.quarterTurns }).reduce<Point>(turnRight, middle)
  return settle({ ...view, ...turned, zoom: within(FILLED / extent, 1, MOST_ZOOM_AT_PLACE) })
}

const turnRight = ({ x, y }: Point): Point => ({ x: 1 - y, y: x })

export const turnedSize = ({ width, height }: Size, quarterTurns: number): Size =>
  quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width }

/** The part of a turned picture that is seen, as a `viewBox`. */
export function viewBoxOf(size: Size, { zoom, x, y, quarterTurns }: View): string {
  const { width, height } = turnedSize(size, quarterTurns)
  const [seenWidth, seenHeight] = [width / zoom, height / zoom]
  return `${x * width - seenWidth / 2} ${y * height - seenHeight / 2} ${seenWidth} ${seenHeight}`
}

/** Turns a picture about its corner, and moves it back to where its top left was. */
export function turningOf({ width, height }: Size, quarterTurns: number): string {
  const [right, down] = [
    [0, 0],
    [height, 0],
    [width, height],
    [0, width],
  ][quarterTurns % 4] ?? [0, 0]
  return `translate(${right} ${down}) rotate(${quarterTurns * 90})`
}
