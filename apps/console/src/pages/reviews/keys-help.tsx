import { useState } from 'react'
import { areKeysOn, setKeysOn, useKeys } from '../../parts/use-keys.ts'
import { t } from '../../text/text.ts'
import { Modal } from './modal.tsx'

/** The keys of a page, shown by `?`, and the choice to do without them. */
export function KeysHelp({ keys }: { keys: readonly (readonly [key: string, text: string])[] }) {
  const [isOpen, setOpen] = useState(false)
  const [isOn, setOn] = useState(areKeysOn)
  useKeys({ '?': () => setOpen(true) })
  function choose(on: boolean) {
    setKeysOn(on)
    setOn(on)
  }
  return (
    <>
      <button type="button" className="quiet" aria-keyshortcuts="?" onClick={() => setOpen(true)}>
        {t.reviews.keys} <kbd>?</kbd>
      </button>
      {isOpen && (
        <Modal title={t.reviews.keys} onClose={() => setOpen(false)}>
          <dl className="keys">
            {keys.map(([key, text]) => (
              <div key={key}>
                <dt>
                  {key.split(' ').map((one) => (
                    <kbd key={one}>{one}</kbd>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <label className="choice">
            <input
              type="checkbox"
              checked={isOn}
              onChange={({ currentTarget }) => choose(currentTarget.checked)}
            />
            {t.reviews.keysOn}
          </label>
          <div className="line">
            <button type="button" data-first onClick={() => setOpen(false)}>
              {t.reviews.close}
            </button>
          </div>
        </Modal>
      )}
    </>
  )
}
