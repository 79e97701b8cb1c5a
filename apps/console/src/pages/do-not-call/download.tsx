import { useMutation } from '@tanstack/react-query'
import { Problem } from '../../parts/problem.tsx'
import { vaani } from '../../session/session.ts'
import { t } from '../../text/text.ts'

/** Saves the list as a CSV file. */
export function Download() {
  const download = useMutation({
    mutationFn: async () => (await vaani.doNotCall.exportCsv()).bytes(),
    onSuccess: save,
  })
  return (
    <>
      <button type="button" disabled={download.isPending} onClick={() => download.mutate()}>
        {t.doNotCall.exportFile}
      </button>
      {download.error && <Problem error={download.error} />}
    </>
  )
}

function save(bytes: Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes], { type: 'text/csv' }))
  link.download = 'do-not-call.csv'
  link.click()
  URL.revokeObjectURL(link.href)
}
