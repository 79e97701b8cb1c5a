import type { ReviewClaim } from '@vaani/client'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../session/session-context.ts'
import { t } from '../../text/text.ts'
import { nameOf } from './names.ts'

const TICK_MS = 1000
/** A claim is renewed by work once less than this of it is left. */
const RENEWED_MS = 600_000

const clockOf = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${t.formats.number(Math.floor(seconds / 60))}:${t.formats.twoDigits(seconds % 60)}`
}

/** Who works on the case, and for how long others leave it. Keys and the pointer count as work, which renews it. */
export function Claim(props: { claim: ReviewClaim; isMine: boolean; onRenew: () => void }) {
  const { claim, isMine } = props
  const { session } = useSession()
  const [nowMs, setNowMs] = useState(Date.now)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (!isMine) return undefined
    const work = () => {
      const leftMs = Date.parse(latest.current.claim.expires_at) - Date.now()
      if (leftMs > 0 && leftMs < RENEWED_MS) latest.current.onRenew()
    }
    addEventListener('keydown', work)
    addEventListener('pointerdown', work)
    return () => {
      removeEventListener('keydown', work)
      removeEventListener('pointerdown', work)
    }
  }, [isMine])
  return (
    <span className="claim">
      {isMine ? t.reviews.mine : t.reviews.theirs(nameOf(claim, session))}{' '}
      <time dateTime={claim.expires_at} role="timer">
        {clockOf(Date.parse(claim.expires_at) - nowMs)}
      </time>
    </span>
  )
}
