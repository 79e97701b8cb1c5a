import { useState } from 'react'
import { t } from '../text/text.ts'

/** An id that can be selected, and copied by a button. */
export function CopiedId({ id }: { id: string }) {
  const [isCopied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(id)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <span className="id">
      <code>{id}</code>
      <button
        type="button"
        className="quiet"
        onClick={() => void copy()}
        aria-label={`${t.common.copy} ${id}`}
      >
        {isCopied ? t.common.copied : t.common.copy}
      </button>
    </span>
  )
}
