import { contract } from '@vaani/contracts'

/** What a request is to the gateway. */
export type Route =
  | { readonly name: 'submit_v1' | 'submit_v2' | 'other' }
  | { readonly name: 'verification'; readonly verificationId: string }

const { submitV1, submitV2, retrieve } = contract.identity
const [VERIFICATIONS = ''] = retrieve.path.split(':')
const OTHER: Route = { name: 'other' }
const SUBMISSIONS: Readonly<Record<string, Route>> = {
  [`${submitV1.method} ${submitV1.path}`]: { name: 'submit_v1' },
  [`${submitV2.method} ${submitV2.path}`]: { name: 'submit_v2' },
}

/** @param path may have a query */
export function chooseRoute(method: string, path: string): Route {
  const [pathname = ''] = path.split('?', 1)
  if (!pathname.startsWith(VERIFICATIONS)) return SUBMISSIONS[`${method} ${pathname}`] ?? OTHER
  const [verificationId = ''] = pathname.slice(VERIFICATIONS.length).split('/', 1)
  return verificationId === '' ? OTHER : { name: 'verification', verificationId }
}
