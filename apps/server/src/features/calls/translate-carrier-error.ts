import { FAULT, STOPPING, translateBy } from '@vaani/service-kit/http/refusals/translate-error'
import { CarrierError } from '@vaani/telephony'

export const translateCarrierError = translateBy(CarrierError, {
  carrier_closed: STOPPING,
  invalid_number: FAULT,
  invalid_limit: FAULT,
  invalid_frame: FAULT,
  not_ringing: FAULT,
})
