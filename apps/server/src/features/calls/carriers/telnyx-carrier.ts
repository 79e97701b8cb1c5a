import type { Carrier } from '@vaani/telephony'
import { createTelnyxCarrier } from '@vaani/telephony-media-streams'
import { readSecret } from './read-entry-file.ts'
import type { TelnyxEntry } from './telnyx-entry.ts'

/** Opens the line of an entry. @throws ConfigError if its API key cannot be read */
export async function openTelnyxCarrier(options: {
  name: string
  entry: TelnyxEntry
  /** Whether numbers of the file are reached by it. */
  takesCalls: boolean
  /** Folder of the file with the carriers. */
  folder: string
  onCrash: (error: Error) => void
}): Promise<Carrier> {
  const { name, entry, takesCalls, onCrash } = options
  const { api_url: apiUrl } = entry
  return createTelnyxCarrier({
    name,
    takesCalls,
    onCrash,
    accountSid: entry.account_sid,
    applicationSid: entry.application_sid,
    apiKey: await readSecret(options, 'api_key_file', entry.api_key_file),
    publicKey: entry.public_key,
    ...(apiUrl !== undefined && { apiUrl }),
    callerId: entry.caller_id,
    publicUrl: entry.public_url,
    listen: { address: entry.listen_address, port: entry.listen_port },
  })
}
