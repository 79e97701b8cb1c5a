import { useState } from 'react'
import { useLocation } from 'wouter'
import { PageError } from '../text/page-error.ts'
import { t } from '../text/text.ts'
import { useSession } from './session-context.ts'

/** Goes on in the other mode. The server knows who may; its refusal stands on the page where it was asked. */
export function useModeSwitch() {
  const { switchMode } = useSession()
  const [path, navigate] = useLocation()
  const [refused, setRefused] = useState<{ path: string; why: Error } | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function change() {
    setBusy(true)
    setRefused(null)
    try {
      await switchMode()
      // No object of one mode is in the other, and each subject is.
      navigate(`/${path.split('/', 2)[1] ?? ''}`)
    } catch (error) {
      setRefused({ path, why: error instanceof Error ? error : new PageError(t.common.problem) })
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, refusal: refused?.path === path ? refused.why : null, change: () => void change() }
}
