/** What the E-model needs to know of a call. */
export interface CallImpairments {
  /** From mouth to ear: packetization, half of the round trip, and the jitter buffer. */
  readonly oneWayDelayMs: number
  /** Of the packets, from 0 to 1, assumed to get lost at random. */
  readonly lostFraction: number
}

/** Rating of a narrow-band call with all defaults of ITU-T G.107 (clause 7.7: R = 93.2). */
const DEFAULT_RATING = 93.2
/** Equipment impairment of G.711 (G.113, appendix I). Also used for G.722, because the model is narrow-band. */
const EQUIPMENT_IMPAIRMENT = 0
/** Packet-loss robustness of G.711 with the concealment of its appendix I, for random loss (G.113, appendix I). */
const LOSS_ROBUSTNESS_PERCENT = 25.1

/** Impairment by delay without echo: Idd of ITU-T G.107, clause 7.4. */
function delayImpairment(delayMs: number): number {
  if (delayMs <= 100) return 0
  const x = Math.log2(delayMs / 100)
  return 25 * ((1 + x ** 6) ** (1 / 6) - 3 * (1 + (x / 3) ** 6) ** (1 / 6) + 2)
}

/** Impairment by equipment and loss: Ie,eff of ITU-T G.107, clause 7.5, with BurstR = 1. */
function lossImpairment(lostFraction: number): number {
  const percent = 100 * lostFraction
  return EQUIPMENT_IMPAIRMENT + (95 - EQUIPMENT_IMPAIRMENT) * (percent / (percent + LOSS_ROBUSTNESS_PERCENT))
}

/** Returns the mean opinion score of a rating: ITU-T G.107, annex B. */
export function ratingToMos(rating: number): number {
  if (rating <= 0) return 1
  if (rating >= 100) return 4.5
  // Below a rating of 6.5 the polynomial falls under 1.
  return Math.max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6)
}

/** Estimates the mean opinion score of a call, from 1 to 4.5, by the E-model of ITU-T G.107. */
export const estimateMos = ({ oneWayDelayMs, lostFraction }: CallImpairments): number =>
  ratingToMos(DEFAULT_RATING - delayImpairment(oneWayDelayMs) - lossImpairment(lostFraction))
