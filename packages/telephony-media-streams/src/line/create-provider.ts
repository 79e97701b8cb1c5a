import type { Provider } from '../provider/provider.ts'
import { createTelnyx } from '../telnyx/create-telnyx.ts'
import { createTwilio } from '../twilio/create-twilio.ts'
import { createVonage } from '../vonage/create-vonage.ts'
import type { ProviderAccount } from './line-options.ts'

/** Creates what speaks to the provider of an account. */
export function createProvider(account: ProviderAccount, epochMs: () => number): Provider {
  switch (account.provider) {
    case 'twilio':
      return createTwilio(account)
    case 'telnyx':
      return createTelnyx(account, epochMs)
    case 'vonage':
      return createVonage(account, epochMs)
  }
}
