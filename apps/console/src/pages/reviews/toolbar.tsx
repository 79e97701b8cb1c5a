import { useKeys } from '../../parts/use-keys.ts'
import { t } from '../../text/text.ts'
import type { Looking, Viewing } from './use-view.ts'

/** Shows, hides, enlarges and turns all pictures of a case; each button by its key too. */
export function Toolbar(props: { looking: Looking; viewing: Viewing; hasLens: boolean; onLens: () => void }) {
  const { looking, viewing, hasLens, onLens } = props
  const { view, enlarge, reduce, turn, sharpen, reset, left, right, up, down } = viewing
  useKeys({
    b: looking.onToggle,
    '+': enlarge,
    '=': enlarge,
    '-': reduce,
    '0': reset,
    r: turn,
    x: sharpen,
    l: onLens,
    // When nothing is enlarged, arrows scroll the page.
    ...(view.zoom > 1 && { ArrowLeft: left, ArrowRight: right, ArrowUp: up, ArrowDown: down }),
  })
  return (
    <div className="tools" role="toolbar" aria-label={t.reviews.pictures}>
      <button type="button" aria-pressed={looking.isShown} aria-keyshortcuts="b" onClick={looking.onToggle}>
        {looking.isShown ? t.reviews.hide : t.reviews.look} <kbd>b</kbd>
      </button>
      <button type="button" aria-label={t.reviews.reduce} aria-keyshortcuts="-" onClick={reduce}>
        −
      </button>
      <button type="button" className="zoom" aria-keyshortcuts="0" onClick={reset}>
        {t.formats.number(Math.round(view.zoom * 100))} %
      </button>
      <button type="button" aria-label={t.reviews.enlarge} aria-keyshortcuts="+" onClick={enlarge}>
        +
      </button>
      <button type="button" aria-keyshortcuts="r" onClick={turn}>
        {t.reviews.turn} <kbd>r</kbd>
      </button>
      <button type="button" aria-pressed={view.contrast !== 1} aria-keyshortcuts="x" onClick={sharpen}>
        {t.reviews.contrast} <kbd>x</kbd>
      </button>
      <button type="button" aria-pressed={hasLens} aria-keyshortcuts="l" onClick={onLens}>
        {t.reviews.lens} <kbd>l</kbd>
      </button>
    </div>
  )
}
