import type { Carrier } from '@vaani/telephony'
import { createTwilioCarrier } from '@vaani/telephony-media-streams'
import { readSecret } from './read-entry-file.ts'
import type { TwilioEntry } from './twilio-entry.ts'

/** Opens the line of an entry. @throws ConfigError if its auth token, or the secret of its API key, cannot be read */
export async function openTwilioCarrier(options: {
  name: string
  entry: TwilioEntry
  /** Whether numbers of the file are reached by it. */
  takesCalls: boolean
  /** Folder of the file with the carriers. */
  folder: string
  onCrash: (error: Error) => void
}): Promise<Carrier> {
  const { name, entry, takesCalls, onCrash } = options
  const { api_key_sid: keySid, api_key_secret_file: keyFile, api_url: apiUrl } = entry
  const authToken = await readSecret(options, 'auth_token_file', entry.auth_token_file)
  const secret = keyFile === undefined ? '' : await readSecret(options, 'api_key_secret_file', keyFile)
  return createTwilioCarrier({
    name,
    takesCalls,
    onCrash,
    accountSid: entry.account_sid,
    authToken,
    ...(keySid !== undefined && { apiKey: { sid: keySid, secret } }),
    ...(apiUrl !== undefined && { apiUrl }),
    callerId: entry.caller_id,
    publicUrl: entry.public_url,
    listen: { address: entry.listen_address, port: entry.listen_port },
  })
}
