import { ChatOptionsError, createUpstream, type UpstreamOptions } from '@vaani/chat'

/** Options whose name in the file differs in more than its case. */
const OWN_NAMES: Readonly<Record<string, string>> = { apiKey: 'key' }

/** Returns what an error says, with the names that the members have in the file. Other errors are thrown. */
export function problemsOf(member: string, error: unknown): string[] {
  if (!(error instanceof ChatOptionsError)) throw error
  return error.problems.map(({ field, problem }) => {
    const own = OWN_NAMES[field] ?? field.replace(/\bprovider(s?)\b/g, 'upstream$1')
    const place =
      member === '' ? own : `${member}.${own.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    return `${place} ${problem}`
  })
}

/** Returns what is wrong with the options of an upstream. */
export function problemsOfOptions(member: string, options: UpstreamOptions): string[] {
  try {
    // It opens no connection.
    void createUpstream(options).close()
    return []
  } catch (error) {
    return problemsOf(member, error)
  }
}
