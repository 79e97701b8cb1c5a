import { createSecretKey, type KeyObject } from 'node:crypto'
import path from 'node:path'
import type { BlobStore } from '@vaani/service-kit/blobs/blob-store'
import { createFileBlobStore } from '@vaani/service-kit/blobs/file-blob-store'
import { createS3BlobStore } from '@vaani/service-kit/blobs/s3-blob-store'
import { loadOrMakeKey } from '@vaani/service-kit/vault/load-key'
import { createVault } from '@vaani/service-kit/vault/vault'
import { samplingKeyOf } from '../sampling-key.ts'
import { openSpool, type Spool } from '../spool/spool.ts'
import type { GatewayConfig } from './settings.ts'

/** What the gateway shares with the worker. */
export interface Store {
  readonly blobs: BlobStore
  readonly spool: Spool
  readonly samplingKey: KeyObject
}

export async function openStore(
  config: Pick<GatewayConfig, 's3' | 'dataDirectory' | 'encryptionKeys' | 'samplingKey'>,
): Promise<Store> {
  const { s3, dataDirectory, encryptionKeys, samplingKey } = config
  const vault = createVault(encryptionKeys ?? [await loadOrMakeKey(dataDirectory)])
  const blobs = s3
    ? createS3BlobStore(s3)
    : // What a power failure may take is evidence of a few seconds; flushing would slow the disk down for everybody.
      await createFileBlobStore({ directory: path.join(dataDirectory, 'blobs'), flushes: false })
  return {
    blobs,
    spool: openSpool({ blobs, vault }),
    samplingKey: createSecretKey(samplingKey ?? samplingKeyOf(vault)),
  }
}
