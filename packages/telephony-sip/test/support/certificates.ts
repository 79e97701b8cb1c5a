import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Key and certificate in files, and their content. */
export interface Certificate {
  readonly keyFile: string
  readonly certificateFile: string
  readonly key: string
  readonly certificate: string
}

/** Makes certificates in a folder, all of one authority. */
export interface Authority {
  /** Its own certificate, by which the others are verified. */
  readonly certificate: string
  readonly certificateFile: string
  /** @param names such as `DNS:trunk.example` or `IP:127.0.0.1` @param days -1 for a certificate that has expired */
  issue(name: string, names: string, days?: number): Promise<Certificate>
}

/** Creates an authority with openssl. */
export async function createAuthority(folder: string): Promise<Authority> {
  const file = (name: string) => join(folder, name)
  const [authorityKey, authorityFile] = [file('authority.key'), file('authority.pem')]
  const self = [
    '-x509',
    '-days',
    '1',
    '-subj',
    '/CN=authority',
    '-keyout',
    authorityKey,
    '-out',
    authorityFile,
  ]
  await run('openssl', ['req', ...KEY, ...self])
  return {
    certificateFile: authorityFile,
    certificate: await readFile(authorityFile, 'utf8'),
    async issue(name, names, days = 1) {
      const [keyFile, requestFile] = [file(`${name}.key`), file(`${name}.csr`)]
      const [certificateFile, extensionsFile] = [file(`${name}.pem`), file(`${name}.ext`)]
      await run('openssl', ['req', ...KEY, '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', requestFile])
      await writeFile(extensionsFile, `subjectAltName=${names}\n`)
      const signer = ['-CA', authorityFile, '-CAkey', authorityKey, '-CAcreateserial']
      const result = ['-days', String(days), '-extfile', extensionsFile, '-out', certificateFile]
      await run('openssl', ['x509', '-req', '-in', requestFile, ...signer, ...result])
      const [key, certificate] = await Promise.all([
        readFile(keyFile, 'utf8'),
        readFile(certificateFile, 'utf8'),
      ])
      return { keyFile, certificateFile, key, certificate }
    },
  }
}
