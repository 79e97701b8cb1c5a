import { EngineError } from './engine-error.ts'

/** How an engine is added: one that is built in, a manifest of ONNX models, a module, or a server. */
export type EngineKind = 'face-api' | 'head-motion' | 'manifest' | 'module' | 'http'

const KINDS: readonly (readonly [EngineKind, RegExp])[] = [
  ['face-api', /^face-api$/],
  ['head-motion', /^head-motion$/],
  ['http', /^https?:\/\//i],
  ['module', /\.[cm]?[jt]s$/],
  ['manifest', /\.json$/],
]

/** @throws EngineError `setting_invalid` */
export function kindOfEngine(setting: string): EngineKind {
  const kind = KINDS.find(([, pattern]) => pattern.test(setting))?.[0]
  if (kind !== undefined) return kind
  throw new EngineError(
    'setting_invalid',
    'An engine must be a path that ends in .json, .js, .mjs or .ts, or an http(s) URL; faces also allow face-api, and liveness head-motion',
  )
}
