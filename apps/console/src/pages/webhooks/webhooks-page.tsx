import { PageHeader } from '../../parts/page-header.tsx'
import { t } from '../../text/text.ts'
import { Deliveries } from './deliveries.tsx'
import { Endpoints } from './endpoints.tsx'

/** What was not delivered first, then the endpoints. */
export const WebhooksPage = () => (
  <>
    <PageHeader title={t.webhooks.title} />
    <Deliveries />
    <Endpoints />
  </>
)
