import type { Carrier } from '@vaani/telephony'
import type { LineEntry } from './carriers-file.ts'

/** Opens a phone line. @throws ConfigError if a file that its entry names cannot be used */
export async function openLine(options: {
  name: string
  entry: LineEntry
  /** Whether numbers of the file are reached by it. */
  takesCalls: boolean
  /** Folder of the file with the carriers. */
  folder: string
  onCrash: (error: Error) => void
  /** Gets what a line of SIP sends and receives. */
  onTrace?: (entry: string) => void
}): Promise<Carrier> {
  const { entry } = options
  // Loaded only where a file asks for it.
  switch (entry.type) {
    case 'sip': {
      const { openSipCarrier } = await import('./sip-carrier.ts')
      return openSipCarrier({ ...options, entry })
    }
    case 'twilio': {
      const { openTwilioCarrier } = await import('./twilio-carrier.ts')
      return openTwilioCarrier({ ...options, entry })
    }
    case 'telnyx': {
      const { openTelnyxCarrier } = await import('./telnyx-carrier.ts')
      return openTelnyxCarrier({ ...options, entry })
    }
    case 'vonage': {
      const { openVonageCarrier } = await import('./vonage-carrier.ts')
      return openVonageCarrier({ ...options, entry })
    }
  }
}
