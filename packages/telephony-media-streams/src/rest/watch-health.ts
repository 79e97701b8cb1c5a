import type { CarrierDownReason, CarrierHealth } from '@vaani/telephony'
import type { Provider } from '../provider/provider.ts'
import type { RestResult, SendRequest } from './send-request.ts'

/** Pause between two probes. */
const INTERVAL_MS = 30_000

export interface WatchOptions {
  readonly provider: Pick<Provider, 'probe'>
  readonly sendRequest: SendRequest
  /** Called with the health when it becomes known, and on each change. */
  readonly report: (health: CarrierHealth) => void
  /** Unix time in milliseconds. */
  readonly epochMs: () => number
  /** Runs an action later. Returns the function that cancels it. */
  readonly after: (delayMs: number, action: () => void) => () => void
}

/** Probes the provider until it is stopped, and reports whether it takes our requests. */
export function watchHealth(options: WatchOptions): { stop(): void } {
  const { provider, sendRequest, report, epochMs, after } = options
  let last: CarrierDownReason | 'up' | undefined
  let isStopped = false
  let cancel = () => {}
  const probe = async () => {
    const state = judge(await sendRequest(provider.probe()))
    if (isStopped) return
    if (state !== last) {
      const sinceMs = epochMs()
      report(state === 'up' ? { state, sinceMs } : { state: 'down', sinceMs, reason: state })
    }
    last = state
    cancel = after(INTERVAL_MS, () => void probe())
  }
  void probe()
  return {
    stop() {
      isStopped = true
      cancel()
    },
  }
}

/** Judges a probe. An account that asks too often (429) is well; one that does not exist (404) is not ours. */
function judge(result: RestResult): CarrierDownReason | 'up' {
  switch (result.type) {
    case 'not_sent':
      return 'unreachable'
    case 'unknown':
      return 'timeout'
    case 'response': {
      const { status } = result.response
      if (status < 300 || status === 429) return 'up'
      return status === 401 || status === 403 || status === 404 ? 'unauthorized' : 'refused'
    }
  }
}
