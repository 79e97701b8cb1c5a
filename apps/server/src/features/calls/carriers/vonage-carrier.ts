import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Carrier } from '@vaani/telephony'
import { createVonageCarrier } from '@vaani/telephony-media-streams'
import { CARRIERS_VARIABLE } from './carriers-file.ts'
import { readSecret } from './read-entry-file.ts'
import type { VonageEntry } from './vonage-entry.ts'

/** Opens the line of an entry. @throws ConfigError if its private key or its signature secret cannot be used */
export async function openVonageCarrier(options: {
  name: string
  entry: VonageEntry
  /** Folder of the file with the carriers. */
  folder: string
  onCrash: (error: Error) => void
}): Promise<Carrier> {
  const { name, entry, onCrash } = options
  const { api_url: apiUrl } = entry
  const privateKey = await readSecret(options, 'private_key_file', entry.private_key_file)
  const signatureSecret = await readSecret(options, 'signature_secret_file', entry.signature_secret_file)
  try {
    return createVonageCarrier({
      name,
      onCrash,
      applicationId: entry.application_id,
      privateKey,
      signatureSecret,
      ...(apiUrl !== undefined && { apiUrl }),
      callerId: entry.caller_id,
      publicUrl: entry.public_url,
      listen: { address: entry.listen_address, port: entry.listen_port },
    })
  } catch {
    // All else was checked before.
    throw new ConfigError(`${CARRIERS_VARIABLE} carriers.${name}.private_key_file must be an RSA key in PEM`)
  }
}
