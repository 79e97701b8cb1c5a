import type { DocumentReader } from '@vaani/identity-checks/ocr'
import type { Services } from '@vaani/service-kit/service/services'

import type { OcrMetrics } from './metrics.ts'

/** Dependencies of the route. */
export interface OcrContext extends Pick<Services, 'unsealed' | 'vault'> {
  reader: DocumentReader
  metrics: OcrMetrics
}
