import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from '@vaani/service-kit/settings/define-settings'
import type { Carrier } from '@vaani/telephony'
import { createSipCarrier } from '@vaani/telephony-sip'
import { CARRIERS_VARIABLE, type SipEntry } from './carriers-file.ts'

/** Opens the trunk of an entry. @throws ConfigError if its password cannot be read */
export async function openSipCarrier(options: {
  name: string
  entry: SipEntry
  /** Folder of the file with the carriers. */
  folder: string
  onCrash: (error: Error) => void
}): Promise<Carrier> {
  const { name, entry, folder, onCrash } = options
  const { host, port, transport, username, realm, domain, register, srtp } = entry
  const password =
    entry.password_file === undefined
      ? undefined
      : await readPassword(name, path.resolve(folder, entry.password_file))
  return createSipCarrier({
    name,
    onCrash,
    trunk: {
      host,
      transport,
      ...(port !== undefined && { port }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(realm !== undefined && { realm }),
      ...(domain !== undefined && { domain }),
      ...(register !== undefined && { register }),
      ...(srtp !== undefined && { srtp }),
      ...(entry.keep_alive !== undefined && { keepAlive: entry.keep_alive }),
    },
    ...(entry.local_address !== undefined && { localAddress: entry.local_address }),
    ...(entry.advertised_address !== undefined && { advertisedAddress: entry.advertised_address }),
    ...(entry.local_port !== undefined && { localPort: entry.local_port }),
    ...(entry.media_ports !== undefined && { mediaPorts: entry.media_ports }),
  })
}

async function readPassword(name: string, file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `${CARRIERS_VARIABLE} carriers.${name}.password_file cannot be read (${error.code})`,
    )
  })
  // Editors end a file with a line break.
  return content.replace(/\r?\n$/, '')
}
