import { useState } from 'react'
import { t } from '../text/text.ts'

/** Copies a text. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <button
      type="button"
      className="quiet"
      onClick={() => void copy()}
      aria-label={`${t.common.copy} ${name}`}
    >
      {isCopied ? t.common.copied : t.common.copy}
    </button>
  )
}
