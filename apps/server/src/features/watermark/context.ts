import type { Services } from '@vaani/service-kit/service/services'
import type { DerivedKeys } from '@vaani/service-kit/vault/vault'
import type { DetectionThread } from '@vaani/speech/detection'
import type { WatermarkStore } from './store.ts'

/** Dependencies of the watermark routes. */
export interface WatermarkContext extends Pick<Services, 'unsealed' | 'vault'> {
  detections: DetectionThread
  store: WatermarkStore
  /** Keys that marked speech, the current one first. */
  keys: DerivedKeys
}
