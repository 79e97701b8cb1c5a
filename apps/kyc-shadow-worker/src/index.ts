export { type Counts, DROP_REASONS, type Dropped, type DropReason } from './hook/hand-over.ts'
export {
  type Shadow,
  type ShadowedIdentity,
  shadowIdentity,
  type ShadowOptions,
} from './hook/shadow-identity.ts'
