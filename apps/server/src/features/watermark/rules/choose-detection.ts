import type { WatermarkDetection } from '@vaani/speech/watermark'

/**
 * Chooses the detection of the key that fits best. The probabilities of a false alarm add up over the keys.
 *
 * @param detections one for each key, at least one
 */
export function chooseDetection(detections: readonly WatermarkDetection[]): WatermarkDetection {
  const best = detections.reduce((one, other) =>
    other.falseAlarmProbability < one.falseAlarmProbability ? other : one,
  )
  return {
    ...best,
    falseAlarmProbability: Math.min(1, best.falseAlarmProbability * detections.length),
  }
}
