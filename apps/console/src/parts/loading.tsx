import { t } from '../text/text.ts'

/** Says that something is loading, without moving anything. */
export const Loading = () => (
  <p role="status" className="loading">
    {t.common.loading}…
  </p>
)
