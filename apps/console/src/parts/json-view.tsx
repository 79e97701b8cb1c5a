import { t } from '../text/text.ts'

/** An object as the API returns it. */
export const JsonView = ({ of }: { of: object }) => (
  <details className="json">
    <summary>{t.common.json}</summary>
    <pre tabIndex={0}>{JSON.stringify(of, null, 2)}</pre>
  </details>
)
