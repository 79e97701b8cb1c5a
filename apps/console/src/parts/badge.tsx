/** What a status means for whoever looks for trouble. */
export type Tone = 'good' | 'bad' | 'busy' | 'plain'

/** A status as a word with a dot. The colour adds nothing that the word does not say. */
export const Badge = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={`badge ${tone}`}>{children}</span>
)
