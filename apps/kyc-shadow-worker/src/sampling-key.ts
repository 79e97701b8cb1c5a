import type { Vault } from '@vaani/service-kit/vault/vault'

/**
 * The key of the sample of submissions, the same in every process that has the same vault, so that the gateway and everything else
 * that takes submissions choose the same subjects.
 */
export const samplingKeyOf = (vault: Pick<Vault, 'startFingerprint'>): Buffer =>
  vault.startFingerprint('shadow sampling').digest()
