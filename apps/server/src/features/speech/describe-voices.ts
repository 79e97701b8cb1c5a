import type { SpeechEngine } from '@vaani/speech'

/** More languages than this are counted, not listed. */
const MOST_LISTED = 5

/** Says which engine speaks which languages, as a sentence for an operator. */
export function describeVoices(engine: SpeechEngine | null): string {
  if (engine === null) return 'It cannot speak: no speech engine is installed.'
  const byEngine = Map.groupBy(engine.capabilities().languages, (row) => row.engine ?? engine.id)
  const parts = Array.from(byEngine, ([name, rows]) => {
    const tags = rows.map(({ tag }) => tag)
    return `${name} (${tags.length > MOST_LISTED ? `${tags.length} languages` : tags.join(', ')})`
  })
  return `It speaks with ${new Intl.ListFormat('en').format(parts)}.`
}
