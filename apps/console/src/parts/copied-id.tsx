import { CopyButton } from './copy-button.tsx'

/** An id that can be selected, and copied by a button. */
export const CopiedId = ({ id }: { id: string }) => (
  <span className="id">
    <code>{id}</code>
    <CopyButton text={id} name={id} />
  </span>
)
