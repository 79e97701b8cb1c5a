import type { CallQuality } from '@vaani/contracts'
import type { CallEnded, MediaQuality } from '@vaani/telephony'

/** What the line reported of a call that has ended. */
export interface LineEnd {
  readonly sipStatus?: number
  readonly q850Cause?: number
  readonly quality?: CallQuality
}

/** Final responses that refuse a request (RFC 3261, section 7.2). */
const REFUSALS = { from: 300, to: 699 }
/** Causes have seven bits (ITU-T Q.850). */
const CAUSES = { from: 0, to: 127 }

/**
 * Returns what a call's record says of its line. Leaves out what no line can report, because a carrier may be a module of the operator,
 * and a call must end all the same.
 */
export function describeLine(ended: CallEnded, { answered }: { answered: boolean }): LineEnd {
  const sipStatus = answered ? undefined : within(REFUSALS, ended.sipStatus)
  const q850Cause = within(CAUSES, ended.q850Cause)
  const quality = answered && ended.quality ? describeQuality(ended.quality) : undefined
  return {
    ...(sipStatus !== undefined && { sipStatus }),
    ...(q850Cause !== undefined && { q850Cause }),
    ...(quality !== undefined && { quality }),
  }
}

const within = ({ from, to }: { from: number; to: number }, value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value >= from && value <= to ? value : undefined

/** Estimates from packets mean nothing if none arrived. */
function describeQuality(of: MediaQuality): CallQuality | undefined {
  const { packetsSent, packetsReceived, lostFraction, jitterMs, mos } = of
  const { roundTripMs, remoteLostFraction, remoteJitterMs } = of
  if (!Object.values(of).every((value) => value === undefined || (Number.isFinite(value) && value >= 0)))
    return undefined
  return {
    ...(packetsReceived > 0 && { mos: rounded(Math.min(Math.max(mos, 1), 4.5), 2) }),
    packets_sent: Math.trunc(packetsSent),
    packets_received: Math.trunc(packetsReceived),
    ...(packetsReceived > 0 && { lost_fraction: toFraction(lostFraction), jitter_ms: rounded(jitterMs, 1) }),
    ...(roundTripMs !== undefined && { round_trip_ms: rounded(roundTripMs, 1) }),
    ...(remoteLostFraction !== undefined && { remote_lost_fraction: toFraction(remoteLostFraction) }),
    ...(remoteJitterMs !== undefined && { remote_jitter_ms: rounded(remoteJitterMs, 1) }),
  }
}

const toFraction = (value: number): number => rounded(Math.min(value, 1), 4)

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
